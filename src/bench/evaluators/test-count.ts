/** Tests that count: those left out on purpose do not. */
export interface TestCount {
  readonly passed: number;
  readonly all: number;
}
