import {
  maxAttached,
  maxUploadBytes,
  maxText,
  type Attached,
  type Offer,
} from '../../../gateway/chatPage/chatViewMessages.ts';
import {
  browser,
  isRemote,
  make,
  makeButton,
  part,
  type PageElement,
  type PageEvent,
  type PageFile,
} from './browser.ts';
import { withoutEdit, type MessageDraft } from './messageDraft.ts';

interface ComposerParts {
  readonly send: (
    text: string,
    attached: readonly string[],
    as: 'steer' | 'followUp',
    before: string | undefined,
  ) => void;
  /** Which message is being changed, by the id of its item. */
  readonly onEdit: (id: string | undefined) => void;
  /** Asks for what `/` or `#` and what follows it could become. */
  readonly ask: (query: string) => void;
  /** Files that were dropped. */
  readonly attach: (uris: readonly string[]) => void;
  /** A file that was dropped without an address that VS Code could read; no bytes where they are too many. */
  readonly upload: (name: string, base64: string) => void;
  readonly state: ComposerState;
  readonly keep: (state: ComposerState) => void;
}

export interface ComposerState extends MessageDraft {
  /** The message that is being changed, and what stood in the input before. */
  readonly edit?: { readonly id: string; readonly before: MessageDraft };
}

/** The input with what is attached to it and the list of offers above it. */
interface Composer {
  /** Puts text in front of what is there. */
  insert(text: string): void;
  /** An earlier message takes the place of what stands there, until it is sent or the user cancels. */
  edit(id: string, text: string, attached: readonly Attached[]): void;
  /** The message that is being changed is no longer there: its words stay, and what stood in the input before comes back. */
  editGone(isThere: (id: string) => boolean): void;
  /** A message was not taken: its words stand there again; where it took the place of one that is still there, so does the change. */
  refused(text: string, isThere: (id: string) => boolean): void;
  offer(query: string, offers: readonly Offer[]): void;
  addAttached(attached: readonly Attached[]): void;
  /** `asks`: a question of the turn waits, which other words deny. */
  setRunning(isRunning: boolean, asks: boolean): void;
}

export function createComposer(parts: ComposerParts): Composer {
  const { send, ask, attach, upload, state, keep, onEdit } = parts;
  const [input, chips, offers, sendButton, queueButton, stopButton] = [
    'input',
    'chips',
    'offers',
    'send',
    'queue',
    'stop',
  ].map(part) as [PageElement, PageElement, PageElement, PageElement, PageElement, PageElement];
  const [editing, excess] = [part('editing'), part('excess')];
  let { attached, edit } = state;
  let lastSent = '';
  /** The change that was sent last. */
  let sentEdit:
    { readonly id: string; readonly text: string; readonly attached: readonly Attached[] } | undefined;
  let isRunning = false;
  let shown: readonly Offer[] = [];
  let chosen = 0;

  const changed = (): void => {
    keep({ text: input.value, attached, ...(edit === undefined ? {} : { edit }) });
    input.style.height = 'auto';
    input.style.height = `${String(Math.min(input.scrollHeight, 240))}px`;
    sendButton.disabled = input.value.trim() === '';
    queueButton.disabled = sendButton.disabled;
  };
  /** As many as the message still has room for. Of the others it is said that they are not attached. */
  const fitting = <Each>(each: readonly Each[]): readonly Each[] => {
    const room = Math.max(0, maxAttached - attached.length);
    if (each.length > room) sayExcess('files', each.length - room);
    return each.slice(0, room);
  };
  const sayExcess = (of: 'files' | 'text', over: number): void => {
    excess.textContent = (excess.dataset[of] ?? '').replace('{0}', String(over));
  };
  const showChips = (): void => {
    chips.replaceChildren(
      ...attached.map((each) => {
        const chip = make('span', 'chip', each.label);
        const remove = makeButton('×', 'icon', () => {
          attached = attached.filter((other) => other !== each);
          excess.textContent = '';
          showChips();
          changed();
        });
        remove.setAttribute('aria-label', `${chips.dataset['remove'] ?? ''}: ${each.label}`);
        chip.append(remove);
        return chip;
      }),
    );
    chips.hidden = attached.length === 0;
  };
  const closeOffers = (): void => {
    shown = [];
    offers.hidden = true;
    input.removeAttribute('aria-activedescendant');
  };
  const showEdit = (): void => {
    editing.hidden = edit === undefined;
    // Said when it begins, by its role.
    const text = editing.querySelector('span');
    if (text !== null) text.textContent = edit === undefined ? '' : (text.dataset['text'] ?? '');
    onEdit(edit?.id);
  };
  const putInto = (given: MessageDraft): void => {
    input.value = given.text;
    ({ attached } = given);
    excess.textContent = '';
    closeOffers();
    showChips();
    showEdit();
    changed();
    input.focus();
  };
  const cancelEdit = (): void => {
    const before = edit?.before;
    edit = undefined;
    if (before !== undefined) putInto(before);
  };
  const submit = (as: 'steer' | 'followUp'): void => {
    if (input.value.trim() === '') return;
    // What is put into the input is not held up by its limit.
    if (input.value.length > maxText) {
      sayExcess('text', input.value.length - maxText);
      return;
    }
    excess.textContent = '';
    lastSent = input.value;
    sentEdit = edit === undefined ? undefined : { id: edit.id, text: input.value, attached };
    // Words for a turn that runs take no files along.
    const waits = isRunning && edit === undefined;
    send(input.value, waits ? [] : attached.map(({ uri }) => uri), as, edit?.id);
    const before = edit?.before;
    edit = undefined;
    // What stood there before the change goes on waiting.
    input.value = before?.text ?? '';
    if (!waits) attached = before?.attached ?? [];
    showEdit();
    closeOffers();
    showChips();
    changed();
  };

  /** `/he` at the beginning, or `#ma` after a space, up to the cursor. */
  const typed = (): string | undefined => {
    const before = input.value.slice(0, input.selectionStart);
    return /^\/[\w:-]*$/u.exec(before)?.[0] ?? /(?:^|\s)(#[^\s#]*)$/u.exec(before)?.[1];
  };
  const mark = (): void => {
    for (const [at, row] of [...offers.children].entries()) {
      row.setAttribute('aria-selected', String(at === chosen));
      if (at !== chosen) continue;
      row.scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', row.id);
    }
  };
  const take = (offer: Offer): void => {
    const query = typed();
    if (query === undefined) return;
    const end = input.selectionStart;
    const start = end - query.length;
    const isFile = isFileOffer(query, offer);
    // A file is attached; its name stays in the sentence.
    // Behind the name of a server its resources are offered.
    const text = isFile
      ? `#${offer.description} `
      : offer.value.endsWith(':')
        ? offer.value
        : `${offer.value} `;
    input.value = input.value.slice(0, start) + text + input.value.slice(end);
    input.setSelectionRange(start + text.length, start + text.length);
    if (isFile && !attached.some(({ uri }) => uri === offer.value))
      attached = [...attached, ...fitting([{ uri: offer.value, label: offer.description }])];
    closeOffers();
    showChips();
    changed();
    input.focus();
    const next = offer.value.endsWith(':') ? typed() : undefined;
    if (next !== undefined) ask(next);
  };
  const showOffers = (query: string, given: readonly Offer[]): void => {
    shown = given;
    chosen = 0;
    offers.hidden = given.length === 0;
    offers.replaceChildren(
      ...given.map((offer, at) => {
        const row = make('li', 'offer');
        row.setAttribute('role', 'option');
        row.setAttribute('id', `offer-${String(at)}`);
        const isFile = isFileOffer(query, offer);
        row.append(
          make('span', 'value', isFile ? offer.description : offer.value),
          make('span', 'about', isFile ? '' : offer.description),
        );
        // Before the input loses the keyboard, which closes the list.
        row.addEventListener('mousedown', (event) => {
          event.preventDefault();
          take(offer);
        });
        return row;
      }),
    );
    mark();
  };
  const keyInOffers = (event: PageEvent): boolean => {
    if (shown.length === 0) return false;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        chosen = (chosen + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length;
        mark();
        return true;
      case 'Enter':
      case 'Tab': {
        const offer = shown[chosen];
        // What is typed whole is sent.
        if (event.key === 'Enter' && offer?.value === typed()) return false;
        if (offer !== undefined) take(offer);
        return true;
      }
      case 'Escape':
        closeOffers();
        return true;
      default:
        return false;
    }
  };

  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (keyInOffers(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      submit(event.altKey ? 'followUp' : 'steer');
    }
    if (event.key === 'ArrowUp' && input.value === '' && lastSent !== '') {
      event.preventDefault();
      input.value = lastSent;
      changed();
    }
    if (event.key === 'Escape' && edit !== undefined) cancelEdit();
    else if (event.key === 'Escape' && isRunning) stopButton.focus();
  });
  input.addEventListener('input', () => {
    changed();
    const query = typed();
    if (query === undefined) {
      closeOffers();
      return;
    }
    // Until the answer comes: a key that takes a row must not take one of what was typed before.
    if (shown.length > 0)
      showOffers(
        query,
        shown.filter((offer) => isFor(query, offer)),
      );
    ask(query);
  });
  input.addEventListener('blur', closeOffers);
  part('cancelEdit').addEventListener('click', cancelEdit);
  sendButton.addEventListener('click', () => submit('steer'));
  queueButton.addEventListener('click', () => submit('followUp'));
  const { body } = browser.document;
  // What comes from outside of VS Code has no address here, and in a browser elsewhere an address leads nowhere: bytes are sent.
  const wanted = isRemote ? ['Files'] : ['uri-list', 'Files'];
  body.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.some((type) => wanted.some((each) => type.includes(each))) === true)
      event.preventDefault();
  });
  body.addEventListener('drop', (event) => {
    const { dataTransfer } = event;
    const addresses = isRemote ? [] : ['application/vnd.code.uri-list', 'text/uri-list'];
    const list = addresses
      .map((type) => dataTransfer?.getData(type))
      .find((each) => each !== undefined && each !== '');
    const files = [...(dataTransfer?.files ?? [])];
    if (list === undefined && files.length === 0) return;
    event.preventDefault();
    if (list === undefined)
      for (const file of fitting(files)) read(file, (base64) => upload(file.name, base64));
    else {
      const uris = list.split(/\r?\n/u).filter((line) => line !== '' && !line.startsWith('#'));
      attach(fitting(uris.filter((uri) => !attached.some((each) => each.uri === uri))));
    }
  });
  input.value = state.text;
  showChips();
  showEdit();
  changed();

  const insert = (text: string): void => {
    input.value = [text, input.value].filter((each) => each !== '').join('\n');
    input.focus();
    changed();
  };
  const beginEdit = (id: string, text: string, given: readonly Attached[]): void => {
    edit = { id, before: edit?.before ?? { text: input.value, attached } };
    putInto({ text, attached: given });
    input.setSelectionRange(text.length, text.length);
  };
  return {
    insert,
    edit: beginEdit,
    editGone(isThere) {
      if (edit === undefined || isThere(edit.id)) return;
      const left = withoutEdit({ text: input.value, attached }, edit.before);
      edit = undefined;
      input.value = left.text;
      attached = [];
      attached = fitting(left.attached);
      showChips();
      showEdit();
      changed();
    },
    refused(text, isThere) {
      const sent = sentEdit;
      sentEdit = undefined;
      if (sent?.text === text && isThere(sent.id)) beginEdit(sent.id, text, sent.attached);
      else insert(text);
    },
    offer(query, given) {
      // The user has typed on meanwhile.
      if (query !== typed()) return;
      showOffers(query, given);
    },
    addAttached(more) {
      const fresh = more.filter(({ uri }) => !attached.some((each) => each.uri === uri));
      attached = [...attached, ...fitting(fresh)];
      showChips();
      changed();
      input.focus();
    },
    setRunning(running, asks) {
      isRunning = running;
      const focused = browser.document.activeElement;
      const hadKeys = focused === stopButton || focused === queueButton;
      stopButton.hidden = !running;
      queueButton.hidden = !running;
      if (hadKeys && !running) input.focus();
      sendButton.textContent = (running ? sendButton.dataset['steer'] : sendButton.dataset['send']) ?? '';
      input.placeholder = input.dataset[running ? (asks ? 'asks' : 'running') : 'idle'] ?? '';
    },
  };
}

/** Gives the bytes of a file, and none where they are too many or can't be read. */
function read(file: PageFile, take: (base64: string) => void): void {
  if (file.size > maxUploadBytes) {
    take('');
    return;
  }
  const reader = new browser.FileReader();
  reader.addEventListener('loadend', () =>
    take(/^data:[^,]*;base64,(.*)$/su.exec(reader.result ?? '')?.[1] ?? ''),
  );
  reader.readAsDataURL(file);
}

function isFileOffer(query: string, { isText }: Offer): boolean {
  return query.startsWith('#') && isText !== true;
}

/** Whether the offer would still be one for what was typed. */
function isFor(query: string, { value, description }: Offer): boolean {
  if (query.startsWith('/')) return value.toLowerCase().startsWith(query.toLowerCase());
  const wanted = query.slice(1).toLowerCase();
  return [value, description].some((text) => text.toLowerCase().includes(wanted));
}
