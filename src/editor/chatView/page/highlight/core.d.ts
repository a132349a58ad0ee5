// The few types of highlight.js that the page uses: its own ones bring the browser's along, which the project has none of.
import type { Language } from './language.d.ts';

interface Highlighter {
  registerLanguage(name: string, language: Language): void;
  getLanguage(name: string): object | undefined;
  /** `value`: HTML in which the code is escaped and its parts have classes. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

declare const highlighter: Highlighter;
export default highlighter;
