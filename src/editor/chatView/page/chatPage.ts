// Runs in the Chat view, a webview: shows the items that the editor sends, and sends what the user does. It decides nothing.
import type {
  ChatFrame,
  ChatItem,
  FromChatPage,
  SpeechFrame,
  ToChatPage,
} from '../../../gateway/chatPage/chatViewMessages.ts';
import { browser, make, makeButton, part, type PageElement } from './browser.ts';
import { createCountdowns } from './createCountdowns.ts';
import { createCodeColours } from './createCodeColours.ts';
import { createComposer, type ComposerState } from './composer.ts';
import { itemElement, noticeElement, type ItemActions } from './itemElement.ts';
import { createPlayer } from './player.ts';
import { createScroll } from './createScroll.ts';
import { createVisibilityTracker } from './createVisibilityTracker.ts';
import { copiedMarkdown } from './renderMarkdown.ts';

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
const [scroller, speech, below] = [part('scroller'), part('speech'), part('below')];

const colours = createCodeColours(() => colours.paint(list));
const actions: ItemActions = {
  answer(id, answer, why) {
    if (answer !== 'deny' && scroll.hasJustMoved()) sayMoved(id);
    else post({ type: 'answer', id, answer, why, isByKey: false });
  },
  review: (id) => post({ type: 'review', id }),
  acceptHunk: (id, file, hunk, isAccepted) => post({ type: 'acceptHunk', id, file, hunk, isAccepted }),
  openCall: (call) => post({ type: 'call', call }),
  follow: (id, href) => post({ type: 'link', id, href }),
  readAloud(id) {
    player.unlock();
    post({ type: 'readAloud', id });
  },
  answerUpTo: (id) => markdownUpTo(elements.get(id)),
  retry(id) {
    // The button goes with the answer.
    part('input').focus();
    post({ type: 'retry', id });
  },
  edit: (id) => post({ type: 'edit', id }),
  paint: (element) => colours.paint(element),
};
const player = createPlayer((clip, state) => post({ type: 'played', clip, state }));

// Items
const elements = new Map<string, PageElement>();
/** What answers were made of. */
const markdownOf = new Map<string, string>();

/** A long answer stands in several items, one below the other. */
function markdownUpTo(element: PageElement | null | undefined): string {
  if (element?.className !== 'answer') return '';
  const mine = copiedMarkdown(markdownOf.get(element.dataset['id'] ?? '') ?? '');
  return markdownUpTo(element.previousElementSibling) + mine;
}

/** The last answer to a message can be asked for again, where that message can be said again. */
function markEnds(): void {
  let last: PageElement | undefined;
  for (const element of [...list.children].toReversed()) {
    if (element.className === 'answer') {
      element.removeAttribute('data-ends');
      last ??= element;
    }
    if (!element.className.startsWith('user')) continue;
    if (last !== undefined && element.querySelector('.edit') !== null) last.dataset['ends'] = 'true';
    last = undefined;
  }
}

function put(item: ChatItem): void {
  const old = elements.get(item.id);
  const element = itemElement(item, actions, old);
  if (element !== old) {
    if (old === undefined) list.append(element);
    else {
      const focused = browser.document.activeElement;
      const key = old.contains(focused) ? focused?.dataset['key'] : undefined;
      keepWords(old, element);
      old.replaceWith(element);
      // It is about the click, and may stand below what is in sight.
      if (old.querySelector('.notice') === null && element.querySelector('.notice') !== null)
        scroll.bringInSight(element.querySelector('.status'));
      // What had the keyboard may be gone with the answer.
      if (key !== undefined) (element.querySelector(`[data-key="${key}"]`) ?? part('input')).focus();
    }
    elements.set(item.id, element);
    element.dataset['id'] = item.id;
  }
  if (item.kind === 'answer') markdownOf.set(item.id, item.markdown);
  if (item.kind !== 'question') return;
  if (old === undefined) scroll.holdAtQuestion();
  if (item.choices.length > 0) visibility.watch(item.id, element);
  else visibility.close(item.id);
}

/** A question that is drawn anew must not lose the words that are being typed into it. */
function keepWords(old: PageElement, element: PageElement): void {
  const [before, after] = [old.querySelector('.why'), element.querySelector('.why')];
  if (before === null) return;
  if (after === null) {
    // It was answered meanwhile, or its time was over.
    if (before.value.trim() !== '') composer.insert(before.value.trim());
    return;
  }
  after.hidden = before.hidden;
  after.value = before.value;
}

const visibility = createVisibilityTracker({
  ...{ scroller, onChange: showKey },
  elementOf: (id) => elements.get(id),
  shown: (id) => post({ type: 'shown', id }),
  moved: (id, isVisible) => post({ type: 'visibility', id, isVisible }),
});

const clocks = createCountdowns({
  elementOf: (id) => elements.get(id)?.querySelector('.time') ?? undefined,
  texts: { left: list.dataset['timeLeft'] ?? '', paused: list.dataset['timePaused'] ?? '' },
});

// Where the user reads
const scroll = createScroll({ scroller, list, below, onStill: showKey });
function keepingEnd(change: () => void): void {
  scroll.keepingEnd(() => {
    change();
    empty.hidden = elements.size > 0;
  });
  showKey();
}
/** Why a yes to a question that had just moved did nothing, among its buttons, until it is drawn anew. */
function sayMoved(id: string): void {
  const choices = elements.get(id)?.querySelector('.choices');
  if (choices?.querySelector('.notice') !== null) return;
  const notice = noticeElement(list.dataset['justMoved'] ?? '');
  scroll.moving(() => {
    choices.append(notice);
    scroll.bringInSight(notice);
  });
}

// The key that allows, as in the chat panel: pressed in the empty input
let hasText = false;
/** The question that the key would allow. Of several, or of one that is not on screen, nobody knows which is meant. */
function keyAllows(): string | undefined {
  const [only, ...others] = list.querySelectorAll('.question.open');
  const id = only?.dataset['id'];
  const isClear = others.length === 0 && id !== undefined && visibility.isWhole(id);
  const isYes = only?.querySelector('[data-key="once"]') != null;
  return isClear && isYes && !hasText && !scroll.hasJustMoved() ? id : undefined;
}
/** A question names the key for as long as it would be a yes. */
function showKey(): void {
  const id = browser.document.activeElement?.id === 'input' ? keyAllows() : undefined;
  for (const each of list.querySelectorAll('.question.open'))
    each.dataset['isForKey'] = String(each.dataset['id'] === id);
}

/** What outlives the page: it is made anew each time that the view shows, and in a browser that loads it again. */
interface KeptState {
  readonly typed: ComposerState;
  /** Of the conversation that it showed; empty where it showed none. */
  readonly sessionId: string;
}

let kept = readState(editor.getState());
const { typed, sessionId: shownBefore } = kept;
function keep(state: KeptState): void {
  kept = state;
  editor.setState(state);
}
function readState(state: unknown): KeptState {
  return typeof state === 'object' && state !== null && 'typed' in state && 'sessionId' in state
    ? (state as KeptState)
    : { typed: { text: '', attached: [] }, sessionId: '' };
}

const composer = createComposer({
  send(text, attached, as, before) {
    scroll.toEnd();
    post({ type: 'send', text, attached, as, ...(before === undefined ? {} : { before }) });
  },
  onEdit(id) {
    for (const each of list.querySelectorAll('.user'))
      each.className = each.dataset['id'] === id ? 'user edited' : 'user';
    elements.get(id ?? '')?.scrollIntoView({ block: 'nearest' });
  },
  ask: (query) => post({ type: 'offer', query }),
  attach: (uris) => post({ type: 'attach', uris }),
  upload: (name, base64) => post({ type: 'upload', name, base64 }),
  state: typed,
  keep: (state) => {
    keep({ ...kept, typed: state });
    hasText = state.text.trim() !== '';
    showKey();
  },
});

// What stands around them
let waitingKey = '[]';
function showFrame(frame: ChatFrame): void {
  if (frame.sessionId !== kept.sessionId) keep({ ...kept, sessionId: frame.sessionId });
  title.textContent = frame.title;
  part('new').hidden = elements.size === 0;
  model.textContent = frame.model;
  progress.hidden = !frame.isRunning;
  const text = progress.querySelector('span');
  if (text !== null) text.textContent = frame.progress;
  composer.setRunning(frame.isRunning, list.querySelector('.question.open') !== null);
  list.dataset['runs'] = String(frame.isRunning);
  if (!frame.isRunning) markEnds();
  clocks.show(frame.times);
  showAsking(frame.asksElsewhere);
  showSpeech(frame.speech);
  waiting.hidden = frame.waiting.length === 0;
  // A row that is drawn anew under the mouse takes no click.
  const key = JSON.stringify(frame.waiting);
  if (key === waitingKey) return;
  waitingKey = key;
  waiting.replaceChildren(
    ...frame.waiting.map((message) => {
      const row = make('li', '', '');
      const words = [
        waiting.dataset[message.kind],
        message.from === undefined ? '' : waiting.dataset['agent'],
      ]
        .join(' ')
        .trim();
      const remove = makeButton('×', 'icon', () => post({ type: 'unqueue', id: message.id }));
      remove.setAttribute('aria-label', `${waiting.dataset['remove'] ?? ''}: ${message.text}`);
      row.append(make('span', '', `${words} ${message.text}`), remove);
      return row;
    }),
  );
}

function showAsking(asks: boolean): void {
  const lead = part('asking');
  if (lead.hidden !== asks) return;
  const hadKeys = browser.document.activeElement === lead;
  lead.hidden = !asks;
  // Said when it begins, by the role of its place.
  lead.textContent = asks ? (lead.dataset['text'] ?? '') : '';
  if (hadKeys) part('input').focus();
}

function showSpeech(frame: SpeechFrame | undefined): void {
  list.dataset['speaks'] = String(frame !== undefined);
  speech.hidden = frame === undefined || frame.state === 'idle';
  part('play').hidden = frame?.state !== 'blocked';
  const text = speech.querySelector('span');
  if (text !== null) text.textContent = frame?.text ?? '';
}

/** In the language and the time zone of the browser, which may be elsewhere. */
function timeText(at: number): string {
  return new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}

/** In a page outside of VS Code, which has no list of its own to pick from. */
function showChooser({ what, rows: choices }: Extract<ToChatPage, { type: 'choose' }>): void {
  const chooser = browser.document.getElementById('chooser');
  if (chooser === null) return;
  const all = make('ul');
  chooser.hidden = false;
  const choose = (id: string | undefined): void => {
    chooser.hidden = true;
    if (id !== undefined) post({ type: what, id });
    part('input').focus();
  };
  all.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') choose(undefined);
  });
  const rows = choices.map(({ id, title: name, at }) => {
    const row = make('li');
    row.append(makeButton(name, 'link', () => choose(id)));
    if (at !== undefined) row.append(make('div', 'about', timeText(at)));
    return row;
  });
  const close = make('li');
  close.append(makeButton(chooser.dataset['close'] ?? '', 'secondary', () => choose(undefined)));
  all.append(...rows, close);
  const words = what === 'useModel' ? chooser.dataset['models'] : chooser.dataset['sessions'];
  chooser.setAttribute('aria-label', words ?? '');
  chooser.replaceChildren(all);
  chooser.querySelector('button')?.focus();
}

browser.addEventListener('message', ({ data }) => {
  switch (data.type) {
    case 'show': {
      const hadKeys = list.contains(browser.document.activeElement);
      elements.clear();
      markdownOf.clear();
      list.replaceChildren();
      data.items.forEach(put);
      empty.hidden = elements.size > 0;
      composer.editGone((id) => elements.has(id));
      showFrame(data.frame);
      scroll.toEnd();
      scroll.noteMove();
      visibility.look();
      if (hadKeys) part('input').focus();
      post({ type: 'drawn' });
      break;
    }
    case 'change':
      keepingEnd(() => {
        data.items.forEach(put);
        showFrame(data.frame);
      });
      post({ type: 'drawn' });
      break;
    case 'offers':
      composer.offer(data.query, data.offers);
      break;
    case 'refused':
      composer.refused(data.text, (id) => elements.has(id));
      break;
    case 'insert':
      composer.insert(data.text);
      break;
    case 'edit':
      composer.edit(data.id, data.text, data.attached);
      break;
    case 'attached':
      composer.addAttached(data.attached);
      break;
    case 'choose':
      showChooser(data);
      break;
    case 'play':
      player.play(data.clip);
      break;
    case 'silence':
      player.silence();
      break;
  }
});

part('play').addEventListener('click', () => player.goOn());
for (const does of ['stop', 'new', 'sessions', 'model', 'silence', 'asking'] as const)
  part(does).addEventListener('click', () => post({ type: does }));
for (const each of empty.querySelectorAll('button'))
  each.addEventListener('click', () => composer.insert(each.textContent));
browser.document.body.addEventListener('keydown', (event) => {
  const isPressed = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target.id === 'input';
  if (!isPressed || event.isComposing || event.repeat) return;
  event.preventDefault();
  const id = keyAllows();
  if (id !== undefined) post({ type: 'answer', id, answer: 'once', why: '', isByKey: true });
});
for (const change of ['focusin', 'focusout']) browser.document.body.addEventListener(change, showKey);
post({ type: 'ready', ...(shownBefore === '' ? {} : { sessionId: shownBefore }) });
