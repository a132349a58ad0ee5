import { expect, it } from 'vitest';
import { shortBrowser } from './pages.ts';

it('names a browser in a few words, by the most telling of its own', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
  expect(shortBrowser(`${chrome} Chrome/148.0.0.0 Safari/537.36`)).toBe('Chrome 148 (X11)');
  expect(shortBrowser(`${chrome} Chrome/148.0.0.0 Safari/537.36 Edg/148.0`)).toBe('Edge 148 (X11)');
  const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) AppleWebKit/605 Version/26.0 Safari/605';
  expect(shortBrowser(safari)).toBe('Safari 26 (iPhone)');
  expect(shortBrowser('my own program')).toBe('my own program');
});
