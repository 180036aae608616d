import type { IncomingHttpHeaders } from "node:http";
import { anthropicWire } from "./anthropic/anthropic-wire.ts";
import { geminiWire } from "./gemini/gemini-wire.ts";
import { chatWire } from "./openai-chat/chat-wire.ts";
import { responsesWire } from "./openai-responses/responses-wire.ts";
import type { Wire } from "./wire.ts";

/** What an address asks for. */
export type Endpoint =
  | {
      readonly kind: "generate" | "count_tokens";
      readonly wire: Wire;
      readonly pathModel: string | null;
      readonly pathStreams: boolean;
      /** Gemini streams a JSON array unless events are asked for. */
      readonly usesEvents: boolean;
    }
  | { readonly kind: "models"; readonly wire: Wire }
  | { readonly kind: "probe" }
  | { readonly kind: "unknown" };

const GEMINI_MODEL =
  /^\/v1(?:beta|alpha)?\/(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

export function findEndpoint(method: string, url: URL, headers: IncomingHttpHeaders): Endpoint {
  const path = url.pathname.replace(/\/{2,}/g, "/");
  if (path === "/" && method !== "POST") return { kind: "probe" };
  if (method === "GET" && /\/models(\/[^/]+)?$/.test(path))
    return { kind: "models", wire: findModelsWire(path, headers) };
  if (method !== "POST") return { kind: "unknown" };
  return findGemini(path, url) ?? findByEnding(path);
}

function findModelsWire(path: string, headers: IncomingHttpHeaders): Wire {
  if (path.startsWith("/v1beta/") || headers["x-goog-api-key"] !== undefined) return geminiWire;
  return headers["anthropic-version"] === undefined ? chatWire : anthropicWire;
}

function findGemini(path: string, url: URL): Endpoint | null {
  const match = GEMINI_MODEL.exec(path);
  if (match === null) return null;
  return {
    kind: match[2] === "countTokens" ? "count_tokens" : "generate",
    wire: geminiWire,
    pathModel: match[1] ?? null,
    pathStreams: match[2] === "streamGenerateContent",
    usesEvents: url.searchParams.get("alt") === "sse",
  };
}

const ENDINGS: readonly {
  readonly ending: string;
  readonly kind: "generate" | "count_tokens";
  readonly wire: Wire;
}[] = [
  { ending: "/messages", kind: "generate", wire: anthropicWire },
  { ending: "/messages/count_tokens", kind: "count_tokens", wire: anthropicWire },
  { ending: "/responses", kind: "generate", wire: responsesWire },
  { ending: "/responses/input_tokens", kind: "count_tokens", wire: responsesWire },
  { ending: "/chat/completions", kind: "generate", wire: chatWire },
];

function findByEnding(path: string): Endpoint {
  const found = ENDINGS.find(({ ending }) => path.endsWith(ending));
  if (found === undefined) return { kind: "unknown" };
  const { kind, wire } = found;
  return { kind, wire, pathModel: null, pathStreams: false, usesEvents: true };
}
