import type {
  QuestionAnswer,
  CallLink,
  ChatItem,
  QuestionFile,
  QuestionItem,
} from '../../../gateway/chatPage/chatViewMessages.ts';
import { browser, isRemote, make, makeButton, part, type PageElement } from './browser.ts';
import { renderMarkdown, renderOwn } from './renderMarkdown.ts';

/** What the user can do with an item. */
export interface ItemActions {
  answer(id: string, answer: QuestionAnswer, why: string): void;
  review(id: string): void;
  acceptHunk(id: string, file: number, hunk: number, isAccepted: boolean): void;
  openCall(call: CallLink): void;
  follow(id: string, href: string): void;
  readAloud(id: string): void;
  /** The Markdown of a whole answer, of which this item is the end. */
  answerUpTo(id: string): string;
  retry(id: string): void;
  edit(id: string): void;
  /** Colours the code of an element. */
  paint(element: PageElement): void;
}

type Of<Kind extends ChatItem['kind']> = Extract<ChatItem, { kind: Kind }>;

/** The element of an item: `old` where it could be changed in place, so that a selection in it stays. */
export function itemElement(item: ChatItem, actions: ItemActions, old: PageElement | undefined): PageElement {
  switch (item.kind) {
    case 'user':
      return userElement(item, actions);
    case 'answer':
      return answerElement(item, actions, old);
    case 'step':
      return stepElement(item, actions);
    case 'question':
      return questionElement(item, actions);
    case 'note':
      return noteElement(item, actions);
  }
}

function userElement({ id, text, attached, turn }: Of<'user'>, actions: ItemActions): PageElement {
  const element = make('li', 'user');
  element.append(make('div', 'text', text));
  if (attached.length > 0) element.append(make('div', 'attached', attached.join(' · ')));
  if (turn !== undefined) {
    const bar = make('div', 'actions');
    bar.append(makeButton(words.dataset['edit'] ?? '', 'edit link', () => actions.edit(id)));
    element.append(bar);
  }
  return element;
}

function answerElement(
  { id, markdown, files }: Of<'answer'>,
  actions: ItemActions,
  old: PageElement | undefined,
): PageElement {
  const fresh = make('div');
  fresh.innerHTML = renderMarkdown(markdown);
  actions.paint(fresh);
  linkFiles(fresh, files);
  showAddresses(fresh);
  offerCopies(fresh);
  fresh.append(
    makeButton(words.dataset['readAloud'] ?? '', 'speak link', () => actions.readAloud(id)),
    answerActions(id, actions),
  );
  const element = old ?? make('li', 'answer');
  if (old === undefined) {
    followLinks(element, id, actions);
    element.addEventListener('click', ({ target }) => copyCode(target));
  }
  // Only what has changed is replaced: a paragraph that is done keeps what is selected in it.
  const [next, shown] = [[...fresh.children], [...element.children]];
  next.forEach((child, at) => {
    const before = shown[at];
    if (before === undefined) element.append(child);
    else if (before.outerHTML !== child.outerHTML) before.replaceWith(child);
  });
  for (const gone of shown.slice(next.length)) gone.remove();
  return element;
}

/** What can be done with an answer; whether it is the last one of its turn, which can be asked for again, the page marks. */
function answerActions(id: string, actions: ItemActions): PageElement {
  const bar = make('div', 'actions');
  const copy = makeButton(words.dataset['copyAnswer'] ?? '', 'link', () =>
    copyText(actions.answerUpTo(id), copy),
  );
  bar.append(
    copy,
    makeButton(words.dataset['retry'] ?? '', 'retry link', () => actions.retry(id)),
  );
  return bar;
}

/** Each block of code stands in a box with its button. */
function offerCopies(element: PageElement): void {
  for (const block of element.querySelectorAll('pre')) {
    const box = make('div', 'block');
    const button = make('button', 'copy icon', words.dataset['copy'] ?? '');
    button.type = 'button';
    block.replaceWith(box);
    box.append(block, button);
  }
}

function copyCode(target: PageElement): void {
  const button = target.closest('.copy');
  const code = button?.closest('.block')?.querySelector('pre')?.textContent;
  if (button != null && code !== undefined) copyText(code, button);
}

function copyText(text: string, button: PageElement): void {
  browser.navigator.clipboard.writeText(text).then(
    () => {
      button.textContent = words.dataset['copied'] ?? '';
    },
    () => {
      button.textContent = words.dataset['copyFailed'] ?? '';
    },
  );
}

function linkFiles(element: PageElement, files: readonly string[]): void {
  for (const code of element.querySelectorAll('code')) {
    const [, path = '', line] = /^(.*?)(?::(\d+))?$/u.exec(code.textContent) ?? [];
    if (code.closest('pre, a') !== null || !files.includes(path)) continue;
    const link = make('a');
    link.setAttribute('href', line === undefined ? path : `${path}#L${line}`);
    const copy = make('code', '', code.textContent);
    link.append(copy);
    code.replaceWith(link);
  }
}

/** Threat: the words of a link say one address, and it leads to another. */
function showAddresses(element: PageElement): void {
  for (const link of element.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    if (!href.startsWith('command:')) link.setAttribute('title', href);
    if (isRemote) openElsewhere(link, href);
  }
}

/** A browser opens addresses by itself, in a tab that knows nothing of this one; files of the workspace it can't. */
function openElsewhere(link: PageElement, href: string): void {
  if (!/^https?:/iu.test(href)) {
    link.removeAttribute('href');
    link.removeAttribute('title');
    return;
  }
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

/** A link goes nowhere by itself: the editor decides what it opens. */
function followLinks(element: PageElement, id: string, actions: ItemActions): void {
  showAddresses(element);
  if (isRemote) return;
  element.addEventListener('click', (event) => {
    const href = event.target.closest('a')?.getAttribute('href');
    if (href == null) return;
    event.preventDefault();
    // VS Code's own listener would open it a second time.
    event.stopPropagation();
    actions.follow(id, href);
  });
}

const stepSymbols = { running: '◌', done: '✓', failed: '✕', stopped: '⊘', kept: '·' } as const;

function stepElement({ state, title, facts, output, opens }: Of<'step'>, actions: ItemActions): PageElement {
  const element = make('li', `step ${state}`);
  const symbol = make('span', 'symbol', stepSymbols[state]);
  symbol.setAttribute('aria-hidden', 'true');
  const body = make('div', 'body');
  const name =
    opens === undefined
      ? make('span', 'name', title)
      : makeButton(title, 'name link', () => actions.openCall(opens));
  body.append(
    name,
    make('span', 'unseen', words.dataset[state] ?? ''),
    make('span', 'facts', facts.join(' · ')),
  );
  if (output !== undefined && output !== '') body.append(make('pre', 'output', output));
  element.append(symbol, body);
  return element;
}

const noteSymbols: Readonly<Record<string, string>> = {
  error: '✕',
  check: '✓',
  warning: '⚠',
  'circle-slash': '⊘',
  x: '✕',
  edit: '✎',
  trash: '−',
  file: '›',
  terminal: '❯',
  history: '↶',
  checklist: '☑',
  fold: '»',
  info: 'i',
  book: '≡',
  'debug-pause': '‖',
  'arrow-swap': '↔',
};

function noteElement({ id, icon, markdown, file, name }: Of<'note'>, actions: ItemActions): PageElement {
  const element = make('li', `note ${icon === 'error' ? 'failed' : ''}`);
  const symbol = make('span', 'symbol', noteSymbols[icon] ?? '·');
  symbol.setAttribute('aria-hidden', 'true');
  const body = make('div', 'body');
  body.innerHTML = renderOwn(markdown);
  if (file !== undefined) {
    const link = make('a', 'file', name ?? file);
    link.setAttribute('href', file);
    link.setAttribute('title', file);
    body.append(link);
  }
  followLinks(body, id, actions);
  symbol.hidden = icon === '';
  element.append(symbol, body);
  return element;
}

function questionElement(item: QuestionItem, actions: ItemActions): PageElement {
  const { id, severity, title, description, markdown, files, choices, status, notice } = item;
  const isOpen = choices.length > 0;
  const element = make('li', `question ${severity} ${isOpen ? 'open' : 'answered'}`);
  element.setAttribute('aria-label', title);
  element.dataset['id'] = id;
  const asked: PageElement[] = [];
  if (description !== '') asked.push(make('div', 'description', description));
  if (markdown !== '') {
    const call = make('div', 'call');
    call.innerHTML = renderMarkdown(markdown);
    asked.push(call);
  }
  files.forEach((file, at) => asked.push(fileElement(id, file, at, isOpen, actions)));
  if (isOpen)
    element.append(
      endOf(id, 'top'),
      make('div', 'title', title),
      ...asked,
      endOf(id, 'bottom'),
      choicesElement(item, actions),
      ...(notice === undefined ? [] : [noticeElement(notice)]),
    );
  else element.append(foldedElement(title, asked));
  element.append(statusElement(status, isOpen));
  return element;
}

/** Why a click did not count. */
export function noticeElement(text: string): PageElement {
  const element = make('div', 'notice', text);
  element.setAttribute('role', 'alert');
  return element;
}

/** What is left of its time stands in it, and is not read out each second. */
function statusElement(status: string, isOpen: boolean): PageElement {
  const element = make('div', 'status', isOpen ? `${status} ` : status);
  if (!isOpen) return element;
  const time = make('span', 'time');
  time.setAttribute('role', 'timer');
  element.append(time);
  return element;
}

/** What was answered takes one line, until somebody wants to read it again. */
function foldedElement(title: string, asked: readonly PageElement[]): PageElement {
  if (asked.length === 0) return make('div', 'title', title);
  const element = make('details');
  element.append(make('summary', 'title', title), ...asked);
  return element;
}

/** An end of what has to be read before a yes. */
function endOf(id: string, end: 'top' | 'bottom'): PageElement {
  const mark = make('div', 'end');
  mark.dataset['end'] = end;
  mark.dataset['of'] = id;
  return mark;
}

const lineClasses: Readonly<Record<string, string>> = { '+': 'added', '−': 'removed' };

function fileElement(
  id: string,
  { label, fate, hunks }: QuestionFile,
  file: number,
  isOpen: boolean,
  actions: ItemActions,
): PageElement {
  const element = make('div', 'change');
  element.append(make('div', 'path', fate === '' ? label : `${label} · ${fate}`));
  hunks.forEach((hunk, at) => {
    const head = make('label', 'hunk');
    const box = make('input');
    box.type = 'checkbox';
    box.checked = hunk.isAccepted;
    box.disabled = !isOpen;
    box.dataset['key'] = `${String(file)}-${String(at)}`;
    box.setAttribute('aria-label', `${label}, ${hunk.label}`);
    box.addEventListener('change', () => actions.acceptHunk(id, file, at, box.checked));
    head.append(box, make('span', '', hunk.label));
    const lines = make('pre', hunk.isAccepted ? 'lines' : 'lines refused');
    lines.append(
      ...hunk.lines.map((line) => make('span', lineClasses[line.charAt(0)] ?? 'more', `${line}\n`)),
    );
    element.append(head, lines);
  });
  return element;
}

function choicesElement({ id, choices }: QuestionItem, actions: ItemActions): PageElement {
  const element = make('div', 'choices');
  const why = make('input', 'why');
  why.hidden = true;
  why.dataset['key'] = 'why';
  const sayNo = (): void => {
    const words = why.value;
    // What is left in it goes into the input of the view once the question is answered.
    why.value = '';
    actions.answer(id, 'deny', words);
  };
  for (const [at, { does, title }] of choices.entries()) {
    const button = makeButton(title, at === 0 ? 'primary' : 'secondary', () => {
      if (does === 'review') actions.review(id);
      else if (does === 'deny' && !why.hidden) sayNo();
      else actions.answer(id, does, '');
    });
    button.dataset['key'] = does;
    element.append(button);
  }
  const sayWhy = makeButton(texts().sayWhy, 'link', () => {
    why.hidden = false;
    why.focus();
  });
  sayWhy.dataset['key'] = 'sayWhy';
  why.setAttribute('aria-label', texts().whyNot);
  why.placeholder = texts().whyNot;
  why.addEventListener('keydown', (event) => {
    // With Ctrl it is the key that says yes elsewhere.
    const isPlain = !event.isComposing && !event.ctrlKey && !event.metaKey;
    if (event.key !== 'Enter' || !isPlain || why.value.trim() === '') return;
    event.preventDefault();
    sayNo();
  });
  element.append(sayWhy, make('span', 'allowKey', allowKey()), why);
  return element;
}

function allowKey(): string {
  const key = browser.navigator.userAgent.includes('Mac') ? '⌘Enter' : 'Ctrl+Enter';
  return `${key}: ${texts().allow}`;
}

/** Words of the page in the user's language: the editor writes them into it. */
const words = part('items');

function texts(): { readonly sayWhy: string; readonly whyNot: string; readonly allow: string } {
  const { sayWhy = '', whyNot = '', allow = '' } = words.dataset;
  return { sayWhy, whyNot, allow };
}
