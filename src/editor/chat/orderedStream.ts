import type * as vscode from 'vscode';

/** What of an answer's stream this extension uses. */
export type AnswerStream = Pick<vscode.ChatResponseStream, 'markdown' | 'progress' | 'anchor' | 'button'>;

/** A stream that keeps its order around parts that take their time, such as steps. */
export interface OrderedStream extends AnswerStream {
  /** Adds a part by work that takes a while; what is said meanwhile comes after it. */
  part(add: () => Promise<void>): void;
  /** Runs once everything so far is in the answer; at once where nothing is in front of it. */
  then(run: () => void): void;
  /** Resolves once everything so far is in the answer. @throws what the first failed part threw: VS Code closes a stopped answer */
  settled(): Promise<void>;
}

/** Says at once what nothing is in front of. A part that fails keeps none behind it back. */
export function createOrderedStream(stream: AnswerStream): OrderedStream {
  const waiting: (() => Promise<void> | void)[] = [];
  const failures: unknown[] = [];
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await next();
      } catch (error) {
        failures.push(error);
      }
    }
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
    then: say,
    async settled() {
      await working;
      if (failures.length > 0) throw failures[0];
    },
  };
}
