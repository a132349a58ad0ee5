import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PageElement } from './browser.ts';

type Listener = (entries: readonly { target: PageElement; isIntersecting: boolean }[]) => void;

/** The page's observers, the one of the ends first, and then that of whole questions. */
const observers: Listener[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { body: { className: '' } });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(listener: Listener) {
        observers.push(listener);
      }
      observe(): void {
        // The test says what is on screen.
      }
    },
  );
});
afterEach(() => {
  observers.length = 0;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** One question that was shown whole. */
async function openPage() {
  const { createVisibilityTracker } = await import('./createVisibilityTracker.ts');
  const element = { querySelectorAll: () => [] } as unknown as PageElement;
  const elements = new Map([['q', element]]);
  const told: string[] = [];
  const visibility = createVisibilityTracker({
    scroller: element,
    elementOf: (id) => elements.get(id),
    shown: (id) => told.push(`${id} shown`),
    moved: (id, isVisible) => told.push(`${id} ${isVisible ? 'back' : 'away'}`),
    onChange: () => undefined,
  });
  const scroll = (isIntersecting: boolean): void => observers[1]?.([{ target: element, isIntersecting }]);
  visibility.watch('q', element);
  scroll(true);
  const end = (name: string) => ({ dataset: { end: name, of: 'q' } }) as unknown as PageElement;
  for (const name of ['top', 'bottom']) observers[0]?.([{ target: end(name), isIntersecting: true }]);
  vi.advanceTimersByTime(5_000);
  return { visibility, elements, told, scroll };
}

it('tells of a question that has left the screen, and that it is back, once it stays so', async () => {
  const { told, scroll } = await openPage();
  scroll(false);
  expect(told).toEqual(['q shown']);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['q shown', 'q away']);
  scroll(true);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['q shown', 'q away', 'q back']);
});

it('tells nothing of a question that was scrolled past', async () => {
  const { told, scroll } = await openPage();
  scroll(false);
  vi.advanceTimersByTime(300);
  scroll(true);
  vi.advanceTimersByTime(5_000);
  scroll(false);
  vi.advanceTimersByTime(5_000);
  scroll(true);
  vi.advanceTimersByTime(300);
  scroll(false);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['q shown', 'q away']);
});

it('tells that a question is away where the page shows another conversation', async () => {
  const { visibility, elements, told } = await openPage();
  elements.clear();
  visibility.look();
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['q shown', 'q away']);
});

it('tells nothing of one that was answered', async () => {
  const { visibility, told, scroll } = await openPage();
  visibility.close('q');
  scroll(false);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(['q shown']);
});
