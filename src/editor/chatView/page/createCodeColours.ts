import { browser, make, type PageElement } from './browser.ts';

/** Colours blocks of code. */
interface CodeColours {
  /** Those of this element that are complete, as soon as the grammars are there: until then they stand in one colour. */
  paint(element: PageElement): void;
}

/** Longer ones would hold up the page. Characters. */
const longest = 30_000;
const maxKept = 200;

/** `onLoaded`: what was drawn without colours can be painted now. */
export function createCodeColours(onLoaded: () => void): CodeColours {
  // Only while the page's own script runs.
  const own = browser.document.currentScript;
  let isAsked = false;
  /** An answer is drawn anew with each piece of text, its finished blocks with it. */
  const known = new Map<string, string | undefined>();
  const load = (): void => {
    if (isAsked || own === null) return;
    isAsked = true;
    const script = make('script');
    script.nonce = own.nonce;
    script.src = own.src.replace(/[^/]*$/u, 'colourCode.js');
    script.addEventListener('load', onLoaded);
    browser.document.body.append(script);
  };
  const colour = (code: string, language: string): string | undefined => {
    const key = `${language}\n${code}`;
    if (!known.has(key)) {
      if (known.size >= maxKept) known.clear();
      known.set(key, browser.pincerColourCode?.(code, language));
    }
    return known.get(key);
  };
  return {
    paint(element) {
      for (const code of element.querySelectorAll('pre > code[data-language]')) {
        const language = code.dataset['language'] ?? '';
        const text = code.textContent;
        if (text.length > longest) continue;
        if (browser.pincerColourCode === undefined) {
          load();
          return;
        }
        const html = colour(text, language);
        if (html !== undefined) code.innerHTML = html;
      }
    },
  };
}
