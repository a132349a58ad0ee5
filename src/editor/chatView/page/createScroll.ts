// Threat: the buttons of a question move under the hand that goes to another one's. For a moment no click and no key is a yes, and the
// buttons look so.
import { browser, type PageElement } from './browser.ts';

/** For so long. Milliseconds. */
const stillMs = 500;

interface ScrollParts {
  readonly scroller: PageElement;
  /** The items, in the scroller. */
  readonly list: PageElement;
  /** Leads to what stands below, or to a question that is out of sight. */
  readonly below: PageElement;
  /** The buttons have stood still for long enough. */
  readonly onStill: () => void;
}

/** Where the user reads: the newest stays in sight until they go elsewhere, and a question until they are past it. */
export interface Scroll {
  /** The newest stays in sight from now on. */
  toEnd(): void;
  /** Makes a change of the items after which the newest is in sight as it was before. */
  keepingEnd(change: () => void): void;
  /** Another question has come: the newest is where it begins. */
  holdAtQuestion(): void;
  /** Shows this; the newest, which may begin further up, must not take it out of sight again. */
  bringInSight(element: PageElement | null): void;
  /** A change after which buttons may stand elsewhere, if only for the line that leads away. */
  moving(change: () => void): void;
  /** Buttons stand elsewhere now. */
  noteMove(): void;
  hasJustMoved(): boolean;
}

export function createScroll({ scroller, list, below, onStill }: ScrollParts): Scroll {
  /** The newest stays in sight: until the user goes elsewhere, and again from the next message on. */
  let follows = true;
  /** The user has asked for what stands below the questions: none holds the view, until the user goes elsewhere or another one comes. */
  let isPast = false;
  let height = 0;
  let moves = 0;
  let hasJustMoved = false;

  const endTop = (): number => scroller.scrollHeight - scroller.clientHeight;
  /** Where the newest stands: at the end, or where a question begins that has no room above it. */
  const newestTop = (): number => {
    const end = endTop();
    if (isPast) return end;
    const question = [...list.querySelectorAll('.question.open')].at(-1);
    if (question === undefined) return end;
    const above = question.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    return Math.min(end, scroller.scrollTop + above);
  };
  const isAt = (top: number): boolean => Math.abs(top - scroller.scrollTop) < 40;
  /** The first question whose buttons are out of sight, above or below. */
  const questionAway = (): PageElement | undefined => {
    const { top, bottom } = scroller.getBoundingClientRect();
    return [...list.querySelectorAll('.question.open .choices')].find((each) => {
      const place = each.getBoundingClientRect();
      return place.bottom > bottom || place.top < top;
    });
  };
  /** Says that more stands below, or that a question waits out of sight. */
  const showAway = (): void => {
    const asks = questionAway() !== undefined;
    below.hidden = (follows || isAt(endTop())) && !asks;
    below.className = asks ? 'secondary asks' : 'secondary';
    below.textContent = (asks ? below.dataset['question'] : below.dataset['end']) ?? '';
  };

  /** Which buttons stand where: one that takes the place of another has moved, too. */
  const placesOfChoices = (): string => {
    const places = [...list.querySelectorAll('.question.open')].map((each) => {
      const keys = [...each.querySelectorAll('.choices button')].map(({ dataset }) => dataset['key']);
      const { top } = each.querySelector('.choices')?.getBoundingClientRect() ?? {};
      return [each.dataset['id'], String(top), ...keys].join(' ');
    });
    return places.join();
  };
  /** What would be a yes says that it does nothing now; it keeps the keyboard. */
  const showStill = (isStill: boolean): void => {
    for (const button of list.querySelectorAll('.choices button')) {
      const isYes = ['once', 'turn', 'session', 'always'].includes(button.dataset['key'] ?? '');
      if (isYes && !isStill) button.setAttribute('aria-disabled', 'true');
      else button.removeAttribute('aria-disabled');
    }
  };
  const noteMove = (): void => {
    moves += 1;
    const mine = moves;
    hasJustMoved = true;
    showStill(false);
    browser.setTimeout(() => {
      if (mine !== moves) return;
      hasJustMoved = false;
      showStill(true);
      onStill();
    }, stillMs);
  };
  const moving = (change?: () => void): void => {
    const before = placesOfChoices();
    change?.();
    showAway();
    if (before !== placesOfChoices()) noteMove();
  };
  const toEnd = (): void => {
    follows = true;
    moving(() => {
      scroller.scrollTop = newestTop();
    });
  };

  scroller.addEventListener('scroll', () => {
    // Another view beside this one takes its room and moves it: nobody has scrolled.
    if (scroller.clientHeight !== height) return;
    isPast &&= isAt(endTop());
    follows = isAt(newestTop());
    moving();
  });
  new browser.ResizeObserver(() => {
    height = scroller.clientHeight;
    // What has become shorter at the same time, an answered question, may have left the end in sight.
    follows ||= isAt(newestTop());
    if (follows) toEnd();
    else moving();
  }).observe(scroller);
  below.addEventListener('click', () => {
    const away = questionAway();
    if (away === undefined) {
      isPast = true;
      toEnd();
    } else moving(() => away.scrollIntoView({ block: 'nearest' }));
  });
  return {
    ...{ toEnd, moving, noteMove },
    keepingEnd(change) {
      moving(() => {
        change();
        if (follows) scroller.scrollTop = newestTop();
      });
    },
    holdAtQuestion() {
      isPast = false;
    },
    bringInSight(element) {
      follows = false;
      element?.scrollIntoView({ block: 'nearest' });
    },
    hasJustMoved: () => hasJustMoved,
  };
}
