import { describe, expect, it } from "vitest";
import { childEnvironment } from "../../../src/core/process/environment.ts";

const BASE = {
  PATH: "/bin",
  HOME: "/home/a",
  USER: "a",
  LOGNAME: "a",
  SHELL: "/bin/sh",
  TMPDIR: "/var/tmp",
  XDG_STATE_HOME: "/home/a/.state",
  XDG_RUNTIME_DIR: "/run/user/1",
  SSH_AUTH_SOCK: "/run/agent",
  EDITOR: "vi",
  VISUAL: "vim",
  LANG: "C.UTF-8",
  LC_ALL: "C",
  LC_TIME: "C",
  TZ: "UTC",
  TERM: "xterm",
  COLORTERM: "truecolor",
  NO_COLOR: "1",
  FORCE_COLOR: "0",
  CI: "true",
  HTTP_PROXY: "http://a",
  https_proxy: "http://b",
  no_proxy: "localhost",
  ALL_PROXY: "http://c",
  NODE_EXTRA_CA_CERTS: "/etc/company.pem",
  SSL_CERT_FILE: "/etc/ssl/all.pem",
  ADJ_SESSION_ID: "s",
  ADJ_STATE_DIR: "/state",
  ADJ_CONFIG_DIR: "/config",
  ADJ_DATA_DIR: "/data",
  ADJ_DEPTH: "1",
  ADJ_CORRELATION_ID: "c",
  ADJ_RUN_ID: "outer",
};
const OTHERS = {
  GITHUB_TOKEN: "secret",
  AWS_PROFILE: "work",
  ADJ_OTHER: "x",
  LD_PRELOAD: "/x.so",
  NODE_OPTIONS: "--x",
  PATHS: "x",
  XDG: "x",
};
const source = { ...BASE, ...OTHERS, GONE: undefined };

describe("the environment of a child", () => {
  it("is the base set and nothing else", () => {
    expect(childEnvironment({ source, declared: [], inheritEnv: false })).toEqual(BASE);
  });

  it("adds declared names that have a value", () => {
    const declared = ["GITHUB_TOKEN", "GONE", "NEVER_SET"];
    expect(childEnvironment({ source, declared, inheritEnv: false })).toEqual({
      ...BASE,
      GITHUB_TOKEN: "secret",
    });
  });

  it("adds declared values, which win over the base set", () => {
    const declared = { PATH: "/opt/bin", MODE: "fast" };
    const environment = childEnvironment({ source, declared, inheritEnv: false });
    expect(environment).toEqual({ ...BASE, PATH: "/opt/bin", MODE: "fast" });
  });

  it("is everything where that was asked for, declared values still on top", () => {
    const environment = childEnvironment({ source, declared: { CI: "no" }, inheritEnv: true });
    expect(environment).toEqual({ ...BASE, ...OTHERS, CI: "no" });
  });

  it("takes names of the object prototype for names like any other", () => {
    const hostile = Object.fromEntries([
      ["__proto__", "p"],
      ["constructor", "c"],
    ]);
    const named = childEnvironment({
      source: hostile,
      declared: ["__proto__", "toString"],
      inheritEnv: false,
    });
    expect(Object.entries(named)).toEqual([["__proto__", "p"]]);
    const given = childEnvironment({ source: {}, declared: hostile, inheritEnv: false });
    expect(Object.entries(given)).toEqual(Object.entries(hostile));
  });

  it("reads a variable called `length` as a value, not as a list", () => {
    const environment = childEnvironment({
      source: {},
      declared: { length: "3" },
      inheritEnv: false,
    });
    expect(environment).toEqual({ length: "3" });
  });
});
