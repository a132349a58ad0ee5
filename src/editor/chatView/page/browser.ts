import type { FromChatPage, ToChatPage } from '../../../gateway/chatPage/chatViewMessages.ts';

/** The few parts of the browser that the page uses; the project has no browser types. */
export interface PageElement {
  readonly id: string;
  readonly tagName: string;
  readonly dataset: Record<string, string | undefined>;
  readonly children: ArrayLike<PageElement> & Iterable<PageElement>;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly outerHTML: string;
  readonly selectionStart: number;
  readonly style: { height: string };
  className: string;
  textContent: string;
  innerHTML: string;
  value: string;
  checked: boolean;
  hidden: boolean;
  disabled: boolean;
  /** Of a script. */
  nonce: string;
  src: string;
  scrollTop: number;
  placeholder: string;
  type: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  /** The element before it among its siblings. */
  readonly previousElementSibling: PageElement | null;
  append(...children: readonly PageElement[]): void;
  replaceChildren(...children: readonly PageElement[]): void;
  replaceWith(other: PageElement): void;
  remove(): void;
  focus(): void;
  click(): void;
  setSelectionRange(start: number, end: number): void;
  scrollIntoView(options: { readonly block: 'nearest' }): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  contains(other: PageElement | null): boolean;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
}

export interface PageEvent {
  readonly target: PageElement;
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** True while an input method composes a character. */
  readonly isComposing: boolean;
  readonly dataTransfer: {
    readonly types: readonly string[];
    readonly files: Iterable<PageFile>;
    getData(type: string): string;
  } | null;
  /** True for a key that is held down. */
  readonly repeat: boolean;
  preventDefault(): void;
  stopPropagation(): void;
}

export interface PageFile {
  readonly name: string;
  readonly size: number;
}

interface FileReader {
  readonly result: string | null;
  addEventListener(type: 'loadend', listener: () => void): void;
  readAsDataURL(file: PageFile): void;
}

/** An audio element. */
export interface AudioElement {
  src: string;
  load(): void;
  /** Rejects with a `NotAllowedError` where the user has not begun it. */
  play(): Promise<void>;
  pause(): void;
  removeAttribute(name: string): void;
  addEventListener(type: 'ended' | 'error', listener: () => void): void;
}

interface Observer {
  observe(element: PageElement): void;
}

interface Browser {
  /** HTML of code with classes for its colours; undefined for a language that it does not know. There once its script has run. */
  pincerColourCode?: (code: string, language: string) => string | undefined;
  readonly document: {
    readonly activeElement: PageElement | null;
    /** The script that runs for the first time now. */
    readonly currentScript: PageElement | null;
    readonly body: PageElement;
    getElementById(id: string): PageElement | null;
    createElement(name: string): PageElement;
  };
  addEventListener(type: 'message', listener: (event: { readonly data: ToChatPage }) => void): void;
  readonly IntersectionObserver: new (
    listener: (
      entries: readonly { readonly target: PageElement; readonly isIntersecting: boolean }[],
    ) => void,
    options?: { readonly root: PageElement; readonly rootMargin: string },
  ) => Observer;
  readonly ResizeObserver: new (listener: () => void) => Observer;
  readonly FileReader: new () => FileReader;
  readonly Audio: new () => AudioElement;
  readonly Blob: new (parts: readonly Uint8Array[], options: { readonly type: string }) => object;
  readonly URL: { createObjectURL(blob: object): string; revokeObjectURL(address: string): void };
  readonly navigator: {
    readonly userAgent: string;
    readonly clipboard: { writeText(text: string): Promise<void> };
  };
  setTimeout(run: () => void, ms: number): void;
  acquireVsCodeApi(): {
    postMessage(message: FromChatPage): void;
    getState(): unknown;
    setState(state: unknown): void;
  };
}

export const browser = globalThis as unknown as Browser;

/** The page is served by the gateway, to a browser outside of VS Code. */
export const isRemote = browser.document.body.className.includes('remote');

/** The part of the page with this id. */
export function part(id: string): PageElement {
  const found = browser.document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found;
}

/** An element that shows this text literally. */
export function make(name: string, className = '', text = ''): PageElement {
  const element = browser.document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

export function makeButton(title: string, className: string, onClick: () => void): PageElement {
  const button = make('button', className, title);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}
