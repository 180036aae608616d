/** What a user's file gives to a part of the program by name: a builtin of a hook, an evaluator of a suite. */
export type OptionsReading<Options> =
  | { readonly kind: "options"; readonly options: Options }
  /** The path inside the options, for the position in the file. */
  | {
      readonly kind: "invalid";
      readonly path: readonly (string | number)[];
      readonly problem: string;
    };
