import { createTimer } from '../../../base/createTimer.ts';
import type { QuestionTime } from '../../../gateway/chatPage/chatViewMessages.ts';
import { timeLeft } from '../../approvals/timeLeft.ts';
import type { PageElement } from './browser.ts';

interface ClocksParts {
  /** Where the time of a question stands; undefined where the page does not show it. */
  readonly elementOf: (id: string) => PageElement | undefined;
  /** Each with `{0}` in place of the time. */
  readonly texts: { readonly left: string; readonly paused: string };
}

/** Counts down what the questions have left, once a second, while the time of one of them runs. */
interface Countdowns {
  /** From now on these wait. */
  show(times: readonly QuestionTime[]): void;
}

export function createCountdowns({ elementOf, texts }: ClocksParts): Countdowns {
  let shown: readonly QuestionTime[] = [];
  let shownAt = 0;
  const draw = (): void => {
    const passed = performance.now() - shownAt;
    let runs = false;
    for (const { id, ms, isRunning } of shown) {
      const left = isRunning ? Math.max(0, ms - passed) : ms;
      runs ||= isRunning && left > 0;
      const element = elementOf(id);
      if (element !== undefined)
        element.textContent = (isRunning ? texts.left : texts.paused).replace('{0}', timeLeft(left));
    }
    if (runs) second.restart();
    else second.stop();
  };
  const second = createTimer(1_000, draw);
  return {
    show(times) {
      shown = times;
      shownAt = performance.now();
      draw();
    },
  };
}
