// Runs in the view of the last run, a webview: shows the lines that the editor sends. Texts are set as text, never as HTML.
import type { TimelineLine } from '../../traces/describeTrace.ts';
import type { TimelineIcon } from '../../traces/describeHook.ts';
import type { ToRunPage } from './runMessages.ts';
import type { RunView } from './runView.ts';

/** The few parts of the browser that are used; the project has no browser types. */
interface PageElement {
  className: string;
  textContent: string;
  value: string;
  checked: boolean;
  hidden: boolean;
  setAttribute(name: string, value: string): void;
  append(...children: readonly PageElement[]): void;
  replaceChildren(...children: readonly PageElement[]): void;
  replaceWith(other: PageElement): void;
  remove(): void;
  addEventListener(type: string, listener: () => void): void;
}
interface Browser {
  readonly document: {
    getElementById(id: string): PageElement | null;
    createElement(name: string): PageElement;
  };
  addEventListener(type: 'message', listener: (event: { readonly data: ToRunPage }) => void): void;
  acquireVsCodeApi(): { postMessage(message: unknown): void };
}

const browser = globalThis as unknown as Browser;
const { document } = browser;
const editor = browser.acquireVsCodeApi();

function part(id: string): PageElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no ${id}.`);
  return found;
}

function make(name: string, className: string, text = ''): PageElement {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

const [run, plugin, quiet, list, empty] = ['run', 'plugin', 'quiet', 'lines', 'empty'].map(part) as [
  PageElement,
  PageElement,
  PageElement,
  PageElement,
  PageElement,
];

/** What stands in the list, so that a run that goes on changes only what is new: place and selection stay. */
let shown: { readonly key: string; readonly element: PageElement }[] = [];
const options = new Map<PageElement, string>();

function showLines(lines: readonly TimelineLine[]): void {
  lines.forEach((line, index) => {
    const key = JSON.stringify(line);
    const old = shown[index];
    if (old?.key === key) return;
    const element = lineElement(line);
    if (old === undefined) list.append(element);
    else old.element.replaceWith(element);
    shown[index] = { key, element };
  });
  for (const { element } of shown.slice(lines.length)) element.remove();
  shown = shown.slice(0, lines.length);
}

const symbols: Readonly<Record<TimelineIcon, string>> = {
  message: '✉',
  quiet: '·',
  change: '✎',
  decision: '◆',
  block: '⊘',
  ask: '?',
  model: '✦',
  tool: '⚙',
  policy: '§',
  error: '✕',
  end: '■',
};

function lineElement(line: TimelineLine): PageElement {
  const item = make('li', `${line.icon} depth${String(line.depth)}`);
  const symbol = make('span', 'symbol', symbols[line.icon]);
  symbol.setAttribute('aria-hidden', 'true');
  const body = make('div', 'body');
  body.append(make('div', 'title', line.title));
  for (const detail of line.details) body.append(make('div', 'detail', detail));
  item.append(make('span', 'at', sinceStart(line.at)), symbol, body);
  return item;
}

/** From ten seconds on nobody reads milliseconds, and the column has no room for them. */
function sinceStart(ms: number): string {
  return ms < 10_000 ? `${String(Math.round(ms))} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

function fill(select: PageElement, entries: readonly (readonly [string, string])[], chosen: string): void {
  const key = JSON.stringify(entries);
  // An open list must not be replaced under the user's hands.
  if (options.get(select) !== key) {
    options.set(select, key);
    select.replaceChildren(
      ...entries.map(([value, label]) => {
        const option = make('option', '', label);
        option.value = value;
        return option;
      }),
    );
  }
  select.value = chosen;
}

function show(view: RunView): void {
  const [newest = '', all = ''] = [run, plugin].map((each) => labels.get(each));
  fill(run, [['', newest], ...view.runs.map(({ id, label }) => [id, label] as const)], view.runId);
  fill(plugin, [['', all], ...view.plugins.map((id) => [id, id] as const)], view.pluginId);
  empty.hidden = view.status !== 'none';
  list.setAttribute('aria-busy', String(view.status === 'running'));
  showLines(view.lines);
}

/** The words of the first entries, which the editor wrote into the page in the user's language. */
const labels = new Map([run, plugin].map((each) => [each, each.textContent.trim()]));

function choose(): void {
  editor.postMessage({ type: 'choose', runId: run.value, pluginId: plugin.value });
}

browser.addEventListener('message', ({ data }) => show(data.view));
run.addEventListener('change', choose);
plugin.addEventListener('change', choose);
quiet.addEventListener('change', () => {
  list.className = quiet.checked ? 'hide-quiet' : '';
});
choose();
