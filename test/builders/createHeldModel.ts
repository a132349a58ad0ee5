import type { AgentMessage } from '../../src/contracts/message.ts';
import type { Model, ModelEvent } from '../../src/contracts/model.ts';

/** A model that plays one list of events an answer and remembers what it was asked; `wait` stops there until `release`. */
export interface HeldModel extends Model {
  readonly asked: (readonly AgentMessage[])[];
  /** Resolves when an answer has come to its `wait`. */
  readonly isWaiting: Promise<void>;
  release(): void;
}

export function createHeldModel(answers: readonly (readonly (ModelEvent | 'wait' | 'fail')[])[]): HeldModel {
  const waiting = createGate();
  const released = createGate();
  const asked: (readonly AgentMessage[])[] = [];
  return {
    asked,
    isWaiting: waiting.opened,
    release: () => released.open(),
    info: {
      provider: 'p',
      model: 'm',
      name: 'M',
      contextWindow: 1000,
      maxOutputTokens: 100,
      toolCalling: true,
    },
    async *stream(request) {
      const events = answers[asked.length] ?? [];
      asked.push([...request.messages]);
      for (const event of events) {
        if (event === 'fail') throw new Error('the line is cut');
        if (event !== 'wait') yield event;
        else {
          waiting.open();
          await released.opened;
        }
      }
    },
  };
}

function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
