// Variables that are no agent's, and yet decide which hooks answer it.

/** By these a hook finds its files, its programs and what is loaded with them. */
export const MOVING_VARIABLES =
  /(?:ADJ_\w+|HOME|XDG_(?:CONFIG|STATE|DATA)_HOME|PATH|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|NODE_(?:OPTIONS|PATH)|(?:LD|DYLD)_\w+)/;
