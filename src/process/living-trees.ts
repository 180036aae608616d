import { killTreeAtOnce } from "./end-tree.ts";
import type { ProcessTree } from "./tree-members.ts";

// Whoever ends this process early (an uncaught error, an exit in the middle) must not leave children behind.
const living = new Set<ProcessTree>();

function killAll(): void {
  for (const tree of living) killTreeAtOnce(tree);
}

/** While the returned function has not been called, the tree does not outlive this process. */
export function bindToThisProcess(tree: ProcessTree): () => void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(tree);
  return () => {
    living.delete(tree);
    if (living.size === 0) process.off("exit", killAll);
  };
}
