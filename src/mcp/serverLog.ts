// Threat: a server writes lines that look like Pincer's own, such as a call that never was, or so many that those are gone. So its lines are
// marked, and each of the two has room of its own.
import { inertLine } from '../base/text.ts';

/** What is known of one server lately. */
export interface ServerLog {
  /** Takes lines of the server, or words about its connection, which may be its own. */
  hear(text: string): void;
  /** Takes what Pincer itself saw. */
  note(text: string): void;
  /** All in the order in which it came; lines of the server begin with `| `. */
  lines(): readonly string[];
}

/** Of each of the two. */
const maxLines = 200;

export function createServerLog(): ServerLog {
  let count = 0;
  const heard: { readonly at: number; readonly line: string }[] = [];
  const noted: typeof heard = [];
  const add = (to: typeof heard, mark: string, text: string): void => {
    for (const line of text.split('\n').map((each) => inertLine(each, 500)))
      if (line !== '') to.push({ at: (count += 1), line: `${mark}${line}` });
    to.splice(0, to.length - maxLines);
  };
  return {
    hear: (text) => add(heard, '| ', text),
    note: (text) => add(noted, '', text),
    lines: () => [...heard, ...noted].sort((a, b) => a.at - b.at).map(({ line }) => line),
  };
}
