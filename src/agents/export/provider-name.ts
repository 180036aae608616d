// Who serves the model, in the words of the conventions where they have one.
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["bedrock", "aws.bedrock"],
  ["vertex", "gcp.vertex_ai"],
  ["google", "gcp.gen_ai"],
  ["gemini", "gcp.gemini"],
  ["azure", "azure.ai.openai"],
  ["mistral", "mistral_ai"],
  ["moonshot", "moonshot_ai"],
  ["xai", "x_ai"],
]);

/** The conventions require a name, also where nobody said one. */
export function providerName(provider: string | null): string {
  if (provider === null) return "unknown";
  const name = provider.toLowerCase();
  return WELL_KNOWN.get(name) ?? name;
}
