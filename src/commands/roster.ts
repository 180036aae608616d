// Every bundled command, one line each.
import approve from "./approve.ts";
import commands from "./commands.ts";
import completion from "./completion.ts";
import config from "./config.ts";
import env from "./env.ts";
import forget from "./forget.ts";
import help from "./help.ts";
import log from "./log.ts";
import model from "./model.ts";
import makeNew from "./new.ts";
import params from "./params.ts";
import type { BundledCommand } from "./program.ts";
import provider from "./provider.ts";
import reload from "./reload.ts";
import resume from "./resume.ts";
import save from "./save.ts";
import sessions from "./sessions.ts";
import tools from "./tools.ts";
import tour from "./tour.ts";
import trust from "./trust.ts";

export const BUNDLED: readonly BundledCommand[] = [
  approve,
  commands,
  completion,
  config,
  env,
  forget,
  help,
  log,
  model,
  makeNew,
  params,
  provider,
  reload,
  resume,
  save,
  sessions,
  tools,
  tour,
  trust,
];
