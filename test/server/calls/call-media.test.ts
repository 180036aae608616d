import { describe, expect, test } from "vitest";
import { describeMedia, readMedia } from "../../../src/server/calls/command-call.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

describe("what a command printed", () => {
  test.each([
    ["\x89PNG\r\n\x1a\n\0\0", "image/png"],
    ["\xff\xd8\xff\xe0\0", "image/jpeg"],
    ["GIF89a\x01\0", "image/gif"],
    ["RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
    ["RIFF\x10\0\0\0WAVEfmt ", "audio/wav"],
    ["ID3\x04\0", "audio/mpeg"],
    ["OggS\0\x02", "audio/ogg"],
    ["%PDF-1.7\n", "application/pdf"],
    ["PK\x05\x06\0\0", "application/octet-stream"],
  ])("%j is known for %s, and whole", (text, mimeType) => {
    const data = bytes(text).toString("base64");
    expect(readMedia(bytes(text))).toEqual({ mimeType, data });
  });

  test.each([
    ["text as a string", "\x89PNG\r\n\x1a\n"],
    ["text", Buffer.from("grüße\n")],
    ["text in another encoding", bytes("gr\xfc\xdfe\n")],
    ["nothing", Buffer.alloc(0)],
  ])("%s is no media", (_, output) => {
    expect(readMedia(output)).toBe(null);
  });

  test("is named but not kept where it is too much", () => {
    const video = Buffer.alloc((4 << 20) + 1);
    const media = readMedia(video);
    expect(media).toEqual({ mimeType: "application/octet-stream" });
    expect(media && describeMedia(media, video)).toBe("application/octet-stream, 4194305 bytes");
  });
});
