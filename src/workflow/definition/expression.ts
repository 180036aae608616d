// Expressions of stages: paths, comparison, `and`/`or`/`not`, `contains`, numbers, strings. Parsed, never evaluated as code.
import type { JsonValue } from "../../core/command/context.ts";

export type Expression =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "path"; readonly path: readonly string[] }
  | { readonly kind: "not"; readonly of: Expression }
  | {
      readonly kind: "and" | "or";
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "compare";
      readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains";
      readonly left: Expression;
      readonly right: Expression;
    };
