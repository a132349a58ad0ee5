import { html, type Html } from '../../base/html.ts';
import { maxText } from './chatViewMessages.ts';

/** The words of the page, in the user's language. */
export interface ChatViewTexts {
  readonly title: string;
  readonly newSession: string;
  readonly sessions: string;
  readonly conversation: string;
  readonly empty: string;
  readonly examples: readonly string[];
  readonly input: string;
  readonly idle: string;
  readonly running: string;
  readonly asks: string;
  readonly send: string;
  readonly steer: string;
  readonly queue: string;
  readonly stop: string;
  readonly remove: string;
  readonly attached: string;
  /** How many files were not attached, since the message has all that it may have; with `{0}` in the place of their number. */
  readonly tooMany: string;
  /** By how many characters a message is too long, which is not sent. */
  readonly tooLong: string;
  readonly offers: string;
  readonly waits: string;
  readonly steers: string;
  readonly queued: string;
  readonly model: string;
  /** How a step ended, for who can't see its symbol. */
  readonly isRunning: string;
  readonly failed: string;
  readonly stopped: string;
  readonly ofAgent: string;
  readonly allow: string;
  readonly sayWhy: string;
  readonly whyNot: string;
  /** What is left of the time of a question, with `{0}` in its place. */
  readonly timeLeft: string;
  readonly timePaused: string;
  readonly copy: string;
  readonly copied: string;
  readonly copyFailed: string;
  /** Why a yes did not count. */
  readonly justMoved: string;
  /** Of a whole answer. */
  readonly copyAnswer: string;
  readonly retry: string;
  /** Of a message of the user. */
  readonly edit: string;
  /** What sending a changed message does. */
  readonly editing: string;
  readonly cancel: string;
  /** Leads to the end, where one reads further up. */
  readonly toEnd: string;
  /** Leads to a question that is out of sight. */
  readonly toQuestion: string;
  /** Leads to a question of another conversation. */
  readonly toAsking: string;
  readonly readAloud: string;
  readonly play: string;
  readonly stopReading: string;
}

/** Pure. */
export function chatTexts(l10n: { t(text: string): string }): ChatViewTexts {
  return {
    title: l10n.t('Chat'),
    newSession: l10n.t('New Session'),
    sessions: l10n.t('Sessions…'),
    conversation: l10n.t('Conversation'),
    empty: l10n.t(
      'Ask about this workspace, or say what to change. Pincer asks before it changes files, runs commands or reaches new hosts.',
    ),
    examples: [l10n.t('What does this project do?'), l10n.t('/help')],
    input: l10n.t('Message to Pincer'),
    idle: l10n.t('Ask Pincer. / for commands, # for files'),
    running: l10n.t('Steer the turn. Alt+Enter queues'),
    asks: l10n.t('Your words deny it. Alt+Enter queues'),
    send: l10n.t('Send'),
    steer: l10n.t('Steer'),
    queue: l10n.t('Queue'),
    stop: l10n.t('Stop'),
    remove: l10n.t('Remove'),
    attached: l10n.t('Attached files'),
    tooMany: l10n.t('A message takes 50 files. Not attached: {0} more.'),
    tooLong: l10n.t('Not sent: it is {0} characters longer than a message may be.'),
    offers: l10n.t('Suggestions'),
    waits: l10n.t('Waiting messages'),
    steers: l10n.t('Next step:'),
    queued: l10n.t('Next turn:'),
    model: l10n.t('Model of this session'),
    isRunning: l10n.t('running'),
    failed: l10n.t('failed'),
    stopped: l10n.t('not carried out'),
    ofAgent: l10n.t('Of an agent:'),
    allow: l10n.t('allow'),
    sayWhy: l10n.t('Say why…'),
    whyNot: l10n.t('Why not, or what to do instead'),
    timeLeft: l10n.t('Denied in {0} if nobody answers'),
    timePaused: l10n.t('Paused with {0} left: time runs while the window of VS Code has the focus'),
    copy: l10n.t('Copy'),
    copied: l10n.t('Copied'),
    copyFailed: l10n.t('Not copied: select the text'),
    justMoved: l10n.t('Not allowed yet: the buttons had just moved. Click again.'),
    copyAnswer: l10n.t('Copy answer'),
    retry: l10n.t('Retry'),
    edit: l10n.t('Edit'),
    editing: l10n.t(
      'You are changing an earlier message. What came after it is taken back; the files that it changed stay.',
    ),
    cancel: l10n.t('Cancel'),
    toEnd: l10n.t('↓ Newest'),
    toQuestion: l10n.t('A question waits'),
    toAsking: l10n.t('Another conversation asks'),
    readAloud: l10n.t('Read Aloud'),
    play: l10n.t('Play'),
    stopReading: l10n.t('Stop Reading'),
  };
}

/** What of it every page has. Pure. */
export function chatBody(texts: ChatViewTexts): Html {
  return html`<header>
      <h1 id="title"></h1>
      <button type="button" id="new" class="link" hidden>${texts.newSession}</button>
      <button type="button" id="sessions" class="link">${texts.sessions}</button>
    </header>
    <main id="scroller" tabindex="-1">
      <div id="empty" hidden>
        <p>${texts.empty}</p>
        ${texts.examples.map((each) => html`<button type="button" class="link">${each}</button>`)}
      </div>
      <div role="log" aria-label="${texts.conversation}">
        <ol
          id="items"
          data-running="${texts.isRunning}"
          data-failed="${texts.failed}"
          data-stopped="${texts.stopped}"
          data-allow="${texts.allow}"
          data-say-why="${texts.sayWhy}"
          data-why-not="${texts.whyNot}"
          data-time-left="${texts.timeLeft}"
          data-time-paused="${texts.timePaused}"
          data-read-aloud="${texts.readAloud}"
          data-copy="${texts.copy}"
          data-copied="${texts.copied}"
          data-copy-failed="${texts.copyFailed}"
          data-just-moved="${texts.justMoved}"
          data-copy-answer="${texts.copyAnswer}"
          data-retry="${texts.retry}"
          data-edit="${texts.edit}"
        ></ol>
      </div>
      <div id="progress" role="status" hidden><i aria-hidden="true"></i><span></span></div>
    </main>
    <footer>
      <div id="leads">
        <span role="status"
          ><button type="button" id="asking" class="link" data-text="${texts.toAsking}" hidden></button
        ></span>
        <button
          type="button"
          id="below"
          class="secondary"
          data-end="${texts.toEnd}"
          data-question="${texts.toQuestion}"
          hidden
        ></button>
      </div>
      <div id="speech" hidden>
        <span role="status"></span>
        <button type="button" id="play" class="link" hidden>${texts.play}</button>
        <button type="button" id="silence" class="link">${texts.stopReading}</button>
      </div>
      <ul
        id="waiting"
        hidden
        aria-label="${texts.waits}"
        data-steer="${texts.steers}"
        data-follow-up="${texts.queued}"
        data-agent="${texts.ofAgent}"
        data-remove="${texts.remove}"
      ></ul>
      <div id="editing" hidden>
        <span role="status" data-text="${texts.editing}"></span>
        <button type="button" id="cancelEdit" class="link">${texts.cancel}</button>
      </div>
      <ul id="offers" role="listbox" tabindex="0" aria-label="${texts.offers}" hidden></ul>
      <div id="chips" role="group" aria-label="${texts.attached}" data-remove="${texts.remove}" hidden></div>
      <div
        id="excess"
        role="status"
        class="notice"
        data-files="${texts.tooMany}"
        data-text="${texts.tooLong}"
      ></div>
      <textarea
        id="input"
        rows="1"
        maxlength="${maxText}"
        aria-label="${texts.input}"
        aria-autocomplete="list"
        aria-controls="offers"
        aria-haspopup="listbox"
        placeholder="${texts.idle}"
        data-idle="${texts.idle}"
        data-running="${texts.running}"
        data-asks="${texts.asks}"
      ></textarea>
      <div class="row">
        <button type="button" id="model" class="link" title="${texts.model}"></button>
        <span class="space"></span>
        <button type="button" id="stop" class="secondary" hidden>${texts.stop}</button>
        <button type="button" id="queue" class="secondary" hidden>${texts.queue}</button>
        <button type="button" id="send" class="primary" data-send="${texts.send}" data-steer="${texts.steer}">
          ${texts.send}
        </button>
      </div>
    </footer>`;
}

/**
 * VS Code's own colours in every theme. A state is said by its words and symbol; colour only adds to it. What leads away has a line of its own,
 * but for a view that is so low that it would take the room of the conversation.
 */
export const styles = `
  html, body { height: 100%; }
  body { display: flex; flex-direction: column; margin: 0; padding: 0; line-height: 1.45; color: var(--vscode-foreground); }
  [hidden] { display: none !important; }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  header h1:empty { visibility: hidden; }
  header { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; padding: 4px 12px; }
  header h1 { flex: 1; min-width: 0; margin: 0; font-size: inherit; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  main { flex: 1; min-height: 0; overflow-y: auto; padding: 0 12px; }
  footer { display: flex; flex-direction: column; min-height: 0; padding: 8px 12px 10px; position: relative; } footer > * { flex: none; }
  #items, #waiting, #offers, #chooser ul { list-style: none; margin: 0; padding: 0; }
  .answer ol, .answer ul, .call ol, .call ul { margin: 6px 0; padding-left: 1.7em; } .answer li, .call li { margin: 2px 0; }
  .answer ul { list-style: disc; } .answer li ul { list-style: circle; }
  .answer h1, .answer h2, .answer h3, .answer h4 { margin: 14px 0 6px; font-weight: 600; line-height: 1.3; }
  .answer h1 { font-size: 1.35em; } .answer h2 { font-size: 1.2em; } .answer h3 { font-size: 1.08em; } .answer h4 { font-size: 1em; }
  blockquote { margin: 6px 0; padding: 0 0 0 10px; border-left: 3px solid var(--vscode-textBlockQuote-border, var(--vscode-panel-border)); color: var(--vscode-descriptionForeground); }
  hr { border: 0; border-top: 1px solid var(--vscode-panel-border); }
  #empty { color: var(--vscode-descriptionForeground); }
  #empty button { display: block; margin: 6px 0; text-align: left; }
  button { font: inherit; cursor: pointer; border-radius: 2px; border: 1px solid transparent; padding: 3px 9px; max-width: 100%; overflow-wrap: anywhere; }
  button:disabled { opacity: 0.5; cursor: default; }
  .primary { color: var(--vscode-button-foreground); background: var(--vscode-button-background); border-color: var(--vscode-button-border, transparent); }
  .primary:hover:enabled { background: var(--vscode-button-hoverBackground); }
  .secondary { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border-color: var(--vscode-contrastBorder, var(--vscode-button-secondaryBorder, var(--vscode-input-border, var(--vscode-panel-border)))); }
  .secondary:hover:enabled { background: var(--vscode-button-secondaryHoverBackground); }
  .link, .icon { color: var(--vscode-textLink-foreground); background: none; padding: 0; }
  .link:hover { text-decoration: underline; }
  .icon { color: inherit; padding: 0 4px; }
  a { color: var(--vscode-textLink-foreground); }
  .answer a[href], .note a[href] { text-decoration: underline; }
  #items > li { margin: 8px 0; overflow-wrap: anywhere; }
  .user { padding: 7px 10px; border-radius: 6px; background: var(--vscode-chat-requestBackground, var(--vscode-editor-background)); border: 1px solid var(--vscode-chat-requestBorder, var(--vscode-panel-border)); }
  .user .text { white-space: pre-wrap; }
  .attached, .facts, .status, .description, .about { color: var(--vscode-descriptionForeground); }
  .notice { color: var(--vscode-editorWarning-foreground); margin-top: 4px; } .choices .notice { flex-basis: 100%; }
  .time { font-variant-numeric: tabular-nums; }
  .answer > :first-child, .call > :first-child { margin-top: 0; }
  .answer > :nth-last-child(3), .call > :last-child { margin-bottom: 0; }
  pre { margin: 6px 0; padding: 6px 8px; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 3px; background: var(--vscode-textCodeBlock-background); }
  code, pre { font-family: var(--vscode-editor-font-family); font-size: 0.95em; }
  code { color: var(--vscode-textPreformat-foreground); }
  pre code { color: inherit; } .call code { white-space: pre-wrap; }
  .call > p > code:only-child { display: block; padding: 6px 8px; border-radius: 3px; background: var(--vscode-textCodeBlock-background); }
  .hljs-comment, .hljs-quote { color: var(--vscode-descriptionForeground); font-style: italic; } .hljs-emphasis { font-style: italic; } .hljs-strong { font-weight: 600; }
  .hljs-keyword, .hljs-literal, .hljs-meta, .hljs-section, .hljs-selector-tag, .hljs-name { color: color-mix(in srgb, var(--vscode-debugTokenExpression-boolean) 80%, var(--vscode-foreground)); }
  .hljs-string, .hljs-regexp, .hljs-link { color: color-mix(in srgb, var(--vscode-debugTokenExpression-string) 80%, var(--vscode-foreground)); }
  .hljs-number, .hljs-type, .hljs-built_in, .hljs-title.class_ { color: color-mix(in srgb, var(--vscode-debugTokenExpression-number) 80%, var(--vscode-foreground)); }
  .hljs-title, .hljs-attr, .hljs-attribute, .hljs-bullet, .hljs-selector-class, .hljs-selector-id, .hljs-symbol { color: color-mix(in srgb, var(--vscode-debugTokenExpression-name) 80%, var(--vscode-foreground)); }
  .hljs-addition { background: var(--vscode-diffEditor-insertedLineBackground, var(--vscode-diffEditor-insertedTextBackground)); }
  .hljs-deletion { background: var(--vscode-diffEditor-removedLineBackground, var(--vscode-diffEditor-removedTextBackground)); }
  .answer .block { position: relative; margin: 6px 0; } .answer .block pre { margin: 0; white-space: pre; overflow-wrap: normal; overflow-x: auto; }
  .copy { position: absolute; top: 3px; right: 3px; padding: 1px 6px; font-size: 0.9em; opacity: 0; color: var(--vscode-foreground); background: var(--vscode-textCodeBlock-background); border-color: var(--vscode-panel-border); }
  .block:hover .copy, .copy:focus-visible { opacity: 1; }
  .answer table, .call table { display: block; max-width: 100%; overflow-x: auto; overflow-wrap: normal; border-collapse: collapse; } td, th { border: 1px solid var(--vscode-panel-border); padding: 2px 6px; text-align: left; }
  #items > .step, #items > .note { display: flex; gap: 7px; margin: 3px 0; align-items: baseline; }
  .note .body, .step .body { flex: 1; min-width: 0; } .facts { margin-left: 8px; } .step .output { margin: 3px 0; font-size: 0.9em; white-space: pre; overflow: hidden; text-overflow: ellipsis; } .note p { margin: 0; } .note p:only-of-type { display: inline; } .note .file { margin-left: 4px; }
  .name { text-align: left; }
  .symbol { flex: none; width: 1.1em; text-align: center; color: var(--vscode-descriptionForeground); }
  .failed .symbol, .failed .facts { color: var(--vscode-errorForeground); }
  .question { padding: 8px 10px; border-radius: 4px; border: 1px solid var(--vscode-panel-border); border-left: 3px solid var(--vscode-editorInfo-foreground); }
  .question.warning { border-left-color: var(--vscode-editorWarning-foreground); }
  .question.critical { border-left-color: var(--vscode-editorError-foreground); }
  .question.answered { border-left-color: var(--vscode-panel-border); }
  .question .title { font-weight: 600; } .question.answered .title { font-weight: 400; } summary { cursor: pointer; }
  #leads { display: flex; align-items: center; gap: 10px; } #leads > span { flex: 1; min-width: 0; }
  #asking { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #below { flex: none; padding: 0 9px; border-radius: 12px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } #asking, #below { margin-bottom: 6px; }
  @media (max-height: 219px) {
    #leads > span { display: none; }
    #below { position: absolute; right: 12px; bottom: 100%; z-index: 1; margin-bottom: 4px; }
    .question.open .status { padding-right: 10em; }
  }
  #below.asks { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
  .end { height: 1px; }
  .path { margin-top: 6px; font-weight: 600; }
  .hunk { display: flex; align-items: center; gap: 4px; margin-top: 4px; }
  .lines span { display: block; } .lines { margin-top: 2px; }
  .added { background: var(--vscode-diffEditor-insertedLineBackground, var(--vscode-diffEditor-insertedTextBackground)); }
  .removed { background: var(--vscode-diffEditor-removedLineBackground, var(--vscode-diffEditor-removedTextBackground)); }
  .refused { opacity: 0.6; text-decoration: line-through; }
  .choices { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0 4px; align-items: center; }
  .allowKey { color: var(--vscode-descriptionForeground); visibility: hidden; }
  .question[data-is-for-key="true"] .allowKey { visibility: visible; }
  .choices button[aria-disabled="true"] { opacity: 0.6; }
  .why, textarea {
    box-sizing: border-box; width: 100%; padding: 5px 7px; font: inherit; resize: none; border-radius: 3px;
    color: var(--vscode-input-foreground); background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-panel-border));
  }
  ::placeholder { color: var(--vscode-input-placeholderForeground); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  textarea { display: block; flex-shrink: 1; min-height: 30px; max-height: max(30px, 40vh); }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; margin-top: 6px; }
  .space { flex: 1; }
  #model::after { content: ' ▾' / ''; } #model { min-width: 0; color: var(--vscode-descriptionForeground); }
  #progress { display: flex; gap: 8px; align-items: center; padding: 4px 0 8px; color: var(--vscode-descriptionForeground); }
  #progress i { flex: none; width: 8px; height: 8px; border-radius: 50%; background: var(--vscode-progressBar-background); animation: pulse 1.2s ease-in-out infinite; }
  @keyframes pulse { 50% { opacity: 0.2; } }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .vscode-reduce-motion #progress i { animation: none; }
  @media (prefers-reduced-motion: reduce) { #progress i { animation: none; } }
  #speech { display: flex; flex-wrap: wrap; gap: 2px 10px; margin-bottom: 6px; } #speech span { flex: 1; }
  .speak { display: none; margin-top: 4px; } #items[data-speaks="true"] .speak { display: block; }
  .actions { display: flex; flex-wrap: wrap; gap: 2px 12px; min-height: 1.5em; font-size: 0.92em; opacity: 0; }
  li:hover > .actions, .actions:focus-within { opacity: 1; }
  .answer:has(+ .answer) > .actions, .answer:not([data-ends]) .retry, #items[data-runs="true"] :is(.edit, .retry) { display: none; }
  .user { position: relative; } .user > .actions { position: absolute; top: -0.8em; right: 8px; min-height: 0; padding: 0 6px; border-radius: 3px; background: var(--vscode-editor-background); border: 1px solid var(--vscode-panel-border); }
  #items[data-runs="true"] .user > .actions { display: none; }
  .user.edited { border-color: var(--vscode-focusBorder); }
  #editing { display: flex; flex-wrap: wrap; gap: 2px 10px; margin-bottom: 6px; color: var(--vscode-descriptionForeground); }
  #waiting { margin-bottom: 6px; } #waiting li { display: flex; gap: 4px; } #waiting span { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  #excess { margin: 0 0 6px; } #excess:empty { display: none; }
  #chips { display: flex; flex-wrap: wrap; gap: 4px; margin-bottom: 6px; flex-shrink: 1; min-height: 1.6em; max-height: max(1.6em, 25vh); overflow-y: auto; }
  .chip { display: inline-flex; padding: 0 2px 0 6px; border-radius: 3px; background: var(--vscode-badge-background); color: var(--vscode-badge-foreground); overflow-wrap: anywhere; }
  #offers {
    position: absolute; left: 12px; right: 12px; bottom: 100%; max-height: 220px; overflow-y: auto; z-index: 1; border-radius: 4px;
    color: var(--vscode-editorSuggestWidget-foreground); background: var(--vscode-editorSuggestWidget-background);
    border: 1px solid var(--vscode-editorSuggestWidget-border, var(--vscode-panel-border));
  }
  .offer { display: flex; gap: 8px; padding: 3px 8px; cursor: pointer; } .offer .value { flex: none; max-width: 100%; overflow-wrap: anywhere; }
  .about { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .offer[aria-selected="true"] { color: var(--vscode-editorSuggestWidget-selectedForeground, inherit); background: var(--vscode-editorSuggestWidget-selectedBackground); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
`;
