/** Light and dark by the reader's own setting; readable on a phone. */
export const TRANSCRIPT_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #f4f6f8; --line: #d0d7de; --dim: #57606a; --bad: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #0d1117; --soft: #161b22; --line: #30363d; --dim: #9da7b3; --bad: #ff7b72; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; }
h2 { font-size: .9rem; color: var(--dim); margin: 0 0 .25rem; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; }
dt { font-size: .8rem; color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; }
section, details { margin: 1rem 0; }
section.assistant pre, section.user pre, section.system pre { font: inherit; }
section.user pre { background: var(--soft); padding: .5rem .75rem; border-radius: .5rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; }
details pre { margin-top: .5rem; font: .85rem/1.45 ui-monospace, monospace; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary code { font: .85rem ui-monospace, monospace; }
summary span { color: var(--dim); }
.bad, .errors h2, .errors code { color: var(--bad); }
`;
