/** A grammar of highlight.js, which nothing but its core reads. */
export type Language = (core: unknown) => unknown;

declare const language: Language;
export default language;
