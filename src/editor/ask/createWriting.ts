import type { Clock } from '../../host/ports.ts';

/** Whether the user may still be writing the message that a place was attached to last. */
interface Writing {
  begin(): void;
  end(): void;
  isOn(): boolean;
}

/** VS Code tells of no new chat and no emptied input: after this time the input is taken for one without `@pincer`. Milliseconds. */
const writingMs = 60_000;

/** A second place for a message must not take away what was written since the first one. */
export function createWriting({ monotonic }: Pick<Clock, 'monotonic'>): Writing {
  let began: number | undefined;
  return {
    begin() {
      began = monotonic();
    },
    end() {
      began = undefined;
    },
    isOn: () => began !== undefined && monotonic() - began < writingMs,
  };
}
