// Runs in the Chat view, a webview: shows the items that the editor sends, and sends what the user does. It decides nothing.
import type { Attached, ChatFrame, ChatItem, FromChatPage } from '../chatViewMessages.ts';
import { browser, make, makeButton, part, type PageElement } from './browser.ts';
import { createComposer } from './composer.ts';
import { itemElement, type ItemActions } from './itemElement.ts';

const editor = browser.acquireVsCodeApi();
const post = (message: FromChatPage): void => editor.postMessage(message);
const [list, empty, progress, waiting, title, model] = [
  'items',
  'empty',
  'progress',
  'waiting',
  'title',
  'model',
].map(part) as [PageElement, PageElement, PageElement, PageElement, PageElement, PageElement];
const scroller = part('scroller');

const actions: ItemActions = {
  answer: (id, answer, why) => post({ type: 'answer', id, answer, why }),
  review: (id) => post({ type: 'review', id }),
  tick: (id, file, hunk, isAccepted) => post({ type: 'tick', id, file, hunk, isAccepted }),
  openCall: (call) => post({ type: 'call', call }),
  follow: (id, href) => post({ type: 'link', id, href }),
};

const composer = createComposer({
  send: (text, attached, as) => post({ type: 'send', text, attached, as }),
  ask: (query) => post({ type: 'offer', query }),
  attach: (uris) => post({ type: 'attach', uris }),
  state: readState(editor.getState()),
  keep: (state) => editor.setState(state),
});

/** What was typed outlives the page: it is made anew each time that the view shows. */
function readState(kept: unknown): { readonly text: string; readonly attached: readonly Attached[] } {
  return typeof kept === 'object' && kept !== null && 'text' in kept && 'attached' in kept
    ? (kept as { text: string; attached: readonly Attached[] })
    : { text: '', attached: [] };
}

// Items
const elements = new Map<string, PageElement>();

function put(item: ChatItem): void {
  const old = elements.get(item.id);
  const element = itemElement(item, actions, old);
  if (element !== old) {
    if (old === undefined) list.append(element);
    else {
      const focused = browser.document.activeElement;
      const key = old.contains(focused) ? focused?.dataset['key'] : undefined;
      old.replaceWith(element);
      if (key !== undefined) element.querySelector(`[data-key="${key}"]`)?.focus();
    }
    elements.set(item.id, element);
  }
  if (item.kind === 'question' && item.choices.length > 0) watch(item.id, element);
}

/** Both ends of a question have to have been on screen: what stands between them wraps and does not scroll by itself. */
const seen = new Map<string, Set<string>>();
const observer = new browser.IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const { end = '', of = '' } = target.dataset;
    if (!isIntersecting) continue;
    const ends = seen.get(of)?.add(end);
    if (ends?.size === 2) post({ type: 'shown', id: of });
  }
});
function watch(id: string, element: PageElement): void {
  seen.set(id, new Set());
  for (const end of element.querySelectorAll('[data-end]')) observer.observe(end);
}

/** Follows what is added, unless the user reads further up. */
function keepingEnd(change: () => void): void {
  const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
  change();
  empty.hidden = elements.size > 0;
  if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
}

// What stands around them
function showFrame(frame: ChatFrame): void {
  title.textContent = frame.title;
  part('new').hidden = elements.size === 0;
  model.textContent = frame.model;
  progress.hidden = !frame.isRunning;
  const text = progress.querySelector('span');
  if (text !== null) text.textContent = frame.progress;
  list.setAttribute('aria-busy', String(frame.isRunning));
  composer.setRunning(frame.isRunning);
  waiting.hidden = frame.waiting.length === 0;
  waiting.replaceChildren(
    ...frame.waiting.map((message) => {
      const row = make('li', '', '');
      const words = waiting.dataset[message.kind] ?? '';
      const remove = makeButton('×', 'icon', () => post({ type: 'unqueue', id: message.id }));
      remove.setAttribute('aria-label', `${waiting.dataset['remove'] ?? ''}: ${message.text}`);
      row.append(make('span', '', `${words} ${message.text}`), remove);
      return row;
    }),
  );
}

browser.addEventListener('message', ({ data }) => {
  switch (data.type) {
    case 'show':
      elements.clear();
      list.replaceChildren();
      data.items.forEach(put);
      empty.hidden = elements.size > 0;
      showFrame(data.frame);
      scroller.scrollTop = scroller.scrollHeight;
      break;
    case 'change':
      keepingEnd(() => {
        data.items.forEach(put);
        showFrame(data.frame);
      });
      break;
    case 'offers':
      composer.offer(data.query, data.offers);
      break;
    case 'attached':
      composer.addAttached(data.attached);
      break;
  }
});

for (const does of ['stop', 'new', 'sessions', 'model'] as const)
  part(does).addEventListener('click', () => post({ type: does }));
for (const each of empty.querySelectorAll('button'))
  each.addEventListener('click', () => composer.insert(each.textContent));
browser.document.body.addEventListener('keydown', (event) => {
  // The same key answers in the chat panel: only while the question stands there whole, and nothing else is typed.
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || composer.hasText()) return;
  const yes = [...list.querySelectorAll('[data-key="once"]')].at(-1);
  if (yes === undefined) return;
  event.preventDefault();
  yes.click();
});
post({ type: 'ready' });
