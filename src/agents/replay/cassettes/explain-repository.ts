import type { Cassette } from "../cassette.ts";

/** Looks around in whatever folder it is played in, and changes nothing. */
export const explainRepository: Cassette = {
  adjutant: 1,
  description: "Explain this repository",
  steps: [
    { say: "I will look at the files first.", after: "400ms" },
    { shell: "ls -A | head -n 20", after: "300ms" },
    {
      shell: "if [ -f README.md ]; then head -n 15 README.md; else echo 'no README.md here'; fi",
      after: "300ms",
    },
    {
      say: "This folder holds the files listed above; its README says what they are for. I read two things and changed nothing. This answer was played from a recording: no model was asked.",
      after: "600ms",
    },
  ],
  turns: 3,
  stop_reason: "end_turn",
};
