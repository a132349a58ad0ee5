// Runs in the settings form, a webview: collects what the controls hold and shows what the editor answers. The page itself is
// made by formHtml.ts. Texts are set as text, never as HTML.
import type { ToForm, Verdict } from './formMessages.ts';
import { clearSecret } from './formValues.ts';

/** The few parts of the browser that are used; the project has no browser types. */
interface PageElement {
  readonly type: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  className: string;
  textContent: string;
  value: string;
  placeholder: string;
  checked: boolean;
  disabled: boolean;
  hidden: boolean;
  open: boolean;
  focus(): void;
  closest(selector: string): PageElement | null;
  setAttribute(name: string, value: string): void;
  replaceChildren(...children: readonly PageElement[]): void;
  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void;
}
interface Browser {
  readonly document: {
    querySelectorAll(selector: string): Iterable<PageElement>;
    querySelector(selector: string): PageElement | null;
    createElement(name: string): PageElement;
  };
  addEventListener(type: 'message', listener: (event: { readonly data: ToForm }) => void): void;
  acquireVsCodeApi(): { postMessage(message: unknown): void };
}

const browser = globalThis as unknown as Browser;
const { document } = browser;
const editor = browser.acquireVsCodeApi();
const fields = [...document.querySelectorAll('[data-field]')];
const clears = [...document.querySelectorAll('[data-clear]')];

function values(): Record<string, string | boolean> {
  const found: Record<string, string | boolean> = {};
  for (const field of fields)
    found[field.dataset['field'] ?? ''] = field.type === 'checkbox' ? field.checked : field.value;
  for (const clear of clears) if (clear.checked) found[clear.dataset['clear'] ?? ''] = clearSecret;
  return found;
}

function changed(): void {
  const cleared = new Set(clears.filter((each) => each.checked).map((each) => each.dataset['clear']));
  for (const field of fields)
    if (field.type === 'password') field.disabled = cleared.has(field.dataset['field']);
  editor.postMessage({ type: 'changed', values: values() });
}

/** An empty control means: not set. Secrets stay as they are. */
function reset(): void {
  for (const field of fields) {
    if (field.type === 'checkbox') field.checked = field.dataset['default'] === 'on';
    else field.value = '';
  }
  changed();
}

function showProblems(problems: Readonly<Record<string, string>>, focus?: string): void {
  for (const message of document.querySelectorAll('[data-message]')) {
    const text = problems[message.dataset['message'] ?? ''];
    message.textContent = text ?? '';
    message.hidden = text === undefined;
  }
  for (const field of fields) {
    const id = field.dataset['field'] ?? '';
    field.setAttribute('aria-invalid', String(Object.hasOwn(problems, id)));
    if (id !== focus) continue;
    const folded = field.closest('details');
    if (folded !== null) folded.open = true;
    field.focus();
  }
}

function showVerdict({ level, title, details }: Verdict): void {
  const box = document.querySelector('#verdict');
  if (box === null) return;
  const make = (name: string, text: string): PageElement => {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  };
  const list = make('ul', '');
  list.replaceChildren(...details.map((each) => make('li', each)));
  box.className = level;
  box.hidden = false;
  box.replaceChildren(make('p', title), ...(details.length === 0 ? [] : [list]));
}

browser.addEventListener('message', ({ data }) => {
  if (data.type === 'checked') {
    showProblems(data.problems, data.focus);
    return;
  }
  showProblems({});
  showVerdict(data.verdict);
  for (const field of fields) {
    const secret = data.secrets[field.dataset['field'] ?? ''];
    if (secret === undefined) continue;
    field.value = '';
    field.disabled = false;
    field.placeholder = secret.placeholder;
  }
  for (const clear of clears) {
    clear.checked = false;
    const row = clear.closest('.clear');
    if (row !== null) row.hidden = data.secrets[clear.dataset['clear'] ?? '']?.canClear !== true;
  }
});
const form = document.querySelector('form');
form?.addEventListener('input', changed);
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  editor.postMessage({ type: 'save', values: values() });
});
document.querySelector('#open-config')?.addEventListener('click', () => {
  editor.postMessage({ type: 'open-config' });
});
document.querySelector('#reset')?.addEventListener('click', reset);
