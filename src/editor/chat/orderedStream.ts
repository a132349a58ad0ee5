import type * as vscode from 'vscode';

/** What of an answer's stream this extension uses. */
export type AnswerStream = Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'anchor' | 'button'>;

/** A stream that keeps its order around parts that take their time, such as steps. */
export interface OrderedStream extends AnswerStream {
  /** Adds a part by work that takes a while; what is said meanwhile comes after it. `add` handles its own failures. */
  part(add: () => Promise<void>): void;
  /** Resolves once everything so far is in the answer. */
  settled(): Promise<void>;
}

/** Says at once what nothing is in front of. */
export function createOrderedStream(stream: AnswerStream): OrderedStream {
  const waiting: (() => Promise<void> | void)[] = [];
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    working = undefined;
  };
  const say = (add: () => void): void => {
    if (working === undefined) add();
    else waiting.push(add);
  };
  return {
    markdown: (value) => say(() => stream.markdown(value)),
    progress: (value) => say(() => stream.progress(value)),
    anchor: (value, title) => say(() => stream.anchor(value, title)),
    button: (command) => say(() => stream.button(command)),
    part(add) {
      waiting.push(add);
      working ??= work();
    },
    settled: () => working ?? Promise.resolve(),
  };
}
