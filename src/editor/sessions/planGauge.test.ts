import { expect, it } from 'vitest';
import { planGauge } from './planGauge.ts';

const use = (tokens: number, isEstimated = false) => ({
  tokens,
  window: 200_000,
  compactAt: 160_000,
  isEstimated,
});

it('shows how full the window is, with a tilde where that is estimated', () => {
  expect(planGauge(use(68_000)).text).toBe('34%');
  expect(planGauge(use(68_000, true)).text).toBe('~34%');
  expect([planGauge(use(0)).text, planGauge(use(10)).text]).toEqual(['0%', '1%']);
});

it('stands out only near the compaction point and near the end of the window', () => {
  const levels = [143_000, 145_000, 189_000, 191_000].map((tokens) => planGauge(use(tokens)).level);
  expect(levels).toEqual(['normal', 'near', 'near', 'full']);
});

it('a window that nobody knows does no harm', () => {
  expect(planGauge({ tokens: 5, window: 0, compactAt: 0, isEstimated: true })).toEqual({
    text: '~1%',
    level: 'normal',
  });
});
