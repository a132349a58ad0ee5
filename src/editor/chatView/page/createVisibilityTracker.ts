import { createTimer } from '../../../base/createTimer.ts';
import { browser, type PageElement } from './browser.ts';

export interface VisibilityParts {
  /** What scrolls the questions. */
  readonly scroller: PageElement;
  /** Where the question stands now; undefined where the page does not hold it any more. */
  readonly elementOf: (id: string) => PageElement | undefined;
  /** All of it has been on screen: the editor takes it to be in sight. */
  readonly shown: (id: string) => void;
  /** What was shown whole has left the screen, or is back. */
  readonly moved: (id: string, isVisible: boolean) => void;
  /** An end of a question has come or gone. */
  readonly onChange: () => void;
}

/** Which questions the user sees, and which have been read. */
export interface VisibilityTracker {
  /** The question waits, and its element is new. */
  watch(id: string, element: PageElement): void;
  /** It was answered. */
  close(id: string): void;
  /** Items may have gone. */
  readonly look: () => void;
  /** Both ends of it are on screen now. */
  isWhole(id: string): boolean;
}

/** So long it stays out of sight, or in it, before that is told: whoever scrolls past raises and takes back nothing. Milliseconds. */
const settledMs = 700;
/** What of a question has to be on screen: a line. */
const leastShown = '-24px 0px';

export function createVisibilityTracker({
  scroller,
  elementOf,
  shown,
  moved,
  onChange,
}: VisibilityParts): VisibilityTracker {
  /** Both ends of a question have to have been on screen: what stands between them wraps and does not scroll by itself. */
  const seen = new Map<string, Set<string>>();
  /** The same of those that are on screen now. */
  const onScreen = new Map<string, Set<string>>();
  /** What the editor takes to be in sight. */
  const told = new Map<string, boolean>();
  const ends = new browser.IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const { end = '', of = '' } = target.dataset;
      if (!isIntersecting) onScreen.get(of)?.delete(end);
      else {
        onScreen.get(of)?.add(end);
        if (seen.get(of)?.add(end).size !== 2) continue;
        shown(of);
        if (!told.has(of)) told.set(of, true);
        settled.restart();
      }
    }
    onChange();
  });
  const visible = new WeakSet<PageElement>();
  const questions = new browser.IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      settled.restart();
    },
    { root: scroller, rootMargin: leastShown },
  );
  const settled = createTimer(settledMs, () => {
    for (const [id, before] of told) {
      const element = elementOf(id);
      const isVisible = element !== undefined && visible.has(element);
      if (isVisible === before) continue;
      told.set(id, isVisible);
      moved(id, isVisible);
    }
  });
  return {
    watch(id, element) {
      seen.set(id, new Set());
      onScreen.set(id, new Set());
      for (const end of element.querySelectorAll('[data-end]')) ends.observe(end);
      questions.observe(element);
    },
    close: (id) => void told.delete(id),
    look: settled.restart,
    isWhole: (id) => onScreen.get(id)?.size === 2,
  };
}
