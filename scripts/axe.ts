import axe, { type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

import {
  hangingAnswer,
  startScriptedModelServer,
  textAnswer,
  toolCallAnswer,
} from '../test/builders/scriptedModelServer.ts';
import { inTheme } from '../test/e2e/driver/looks.ts';
import type { Workbench } from '../test/e2e/driver/openWorkbench.ts';
import { startEditor } from '../test/e2e/driver/startEditor.ts';
import { homeWithModel } from '../test/builders/homeWithModel.ts';
import { buildExtension } from './runProgram.ts';

/** One element that breaks a rule of axe. */
interface Finding {
  /** Where it was looked for, with the theme: `Sessions, filled, dark`. */
  readonly place: string;
  readonly rule: string;
  readonly help: string;
  /** What kind of element it is: tag, role and classes. VS Code draws ours and its own from the same parts. */
  readonly kind: string;
  readonly html: string;
  /** What axe says has to be different. */
  readonly why: string;
}

/** VS Code's own views: what breaks a rule there breaks it in ours, too, and is not ours to mend. */
const ofEditor = ['Explorer', 'Search'] as const;
const ofPincer = ['Sessions', 'Approvals', 'Plugins', 'Tools', 'Memory'] as const;
type Theme = 'light' | 'Dark Modern' | 'Dark High Contrast';

const sideBar = '.part.sidebar';
const chatPanel = '.interactive-session';

/**
 * `axe`: looks through Pincer's views, its webviews and a question in the chat with axe, empty and filled, in three themes, in the real
 * workbench. Lists what VS Code's own views do not have as well, and gives 1 where there is such a thing.
 */
export async function main(): Promise<number> {
  if ((await buildExtension()) !== 0) return 1;
  const server = await startScriptedModelServer();
  const editor = await startEditor();
  try {
    const write = { name: 'write', arguments: { path: 'log.md', content: '# Log\n\nDay one.\n' } };
    server.script(
      textAnswer('Aye, the **tide** turns at `six`: see [the rules](README.md).'),
      hangingAnswer('It is ', 'coming.'),
      toolCallAnswer([write]),
    );
    const bench = await editor.open({
      workspace: { files: { 'README.md': '# Boat\n\nShe leaks.\n' } },
      trust: 'trusted',
      home: homeWithModel(server.baseUrl),
      fresh: 'views have to be empty first',
    });
    return report(await lookAtAll(bench));
  } finally {
    await editor.dispose();
    await server.dispose();
  }
}

interface Looks {
  readonly baseline: readonly Finding[];
  readonly found: readonly Finding[];
}

async function lookAtAll(bench: Workbench): Promise<Looks> {
  const { chat, editors, page, palette } = bench;
  const baseline: Finding[] = [];
  const found: Finding[] = [];
  const inEachTheme = async (look: (theme: Theme) => Promise<void>): Promise<void> => {
    await look('light');
    for (const theme of ['Dark Modern', 'Dark High Contrast'] as const)
      await inTheme(bench, theme, () => look(theme));
  };
  const lookAtViews = async (state: string, theme: Theme): Promise<void> => {
    for (const view of ofPincer) {
      await bench.views.open('Pincer', view);
      found.push(...(await lookAt(page, sideBar, `${view}, ${state}, ${theme}`)));
    }
  };

  await inEachTheme(async (theme) => {
    for (const view of ofEditor) {
      await palette.run(`View: Show ${view}`);
      await page.locator(`${sideBar} .composite.title`).getByText(view).first().waitFor();
      baseline.push(...(await lookAt(page, sideBar, `${view}, ${theme}`)));
    }
    baseline.push(...(await lookAt(page, chatPanel, `empty chat, ${theme}`)));
    await lookAtViews('empty', theme);
  });

  await chat.send('When does the tide turn?');
  await chat.waitForAnswer(/tide turns/u);
  // An answer of nothing but text: all but its words is the panel's.
  await inEachTheme(async (theme) => {
    baseline.push(...(await lookAt(page, chatPanel, `plain answer, ${theme}`)));
  });
  await chat.send('And the wind?');
  await chat.waitForText('It is');
  baseline.push(...(await lookAt(page, chatPanel, 'answer that goes on, light')));
  await chat.cancel();

  await chat.send('Write the log.');
  await chat.waitForText('Write log.md');
  await editors.diff.waitFor();
  await inEachTheme(async (theme) => {
    found.push(...(await lookAt(page, chatPanel, `question in the chat, ${theme}`)));
    await lookAtViews('filled', theme);
    await bench.views.open('Pincer', 'Review');
    found.push(...(await lookAt(page, sideBar, `Review, filled, ${theme}`)));
    await bench.screenshot(`axe-filled-${theme}`);
  });

  for (const [name, title] of [
    ['settings of a plugin', 'Pincer: Configure Plugin…'],
    ['last run', 'Pincer: Show Last Run'],
  ] as const) {
    await palette.run('View: Close All Editors');
    await palette.run(title);
    if (name === 'settings of a plugin') {
      await page.locator('.quick-input-widget').getByPlaceholder('Which plugin?').waitFor();
      await page.keyboard.press('Enter');
    }
    await inEachTheme(async (theme) => {
      found.push(...(await lookAt(await webview(page, theme), 'body', `${name}, ${theme}`)));
      await bench.screenshot(`axe-${name}-${theme}`);
    });
  }
  return { baseline, found };
}

/** What VS Code calls a theme in a webview; its colours come with that. */
const bodyClasses: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  'Dark Modern': 'vscode-dark',
  'Dark High Contrast': 'vscode-high-contrast',
};

/** The page inside of the webview that shows, in the colours of the theme. */
async function webview(page: Page, theme: Theme): Promise<Frame> {
  const inner = page.frameLocator('iframe.webview.ready').locator('iframe#active-frame');
  await inner.waitFor();
  const element = await inner.elementHandle();
  const frame = await element.contentFrame();
  if (frame === null) throw new Error('There is no webview.');
  await frame.locator(`body.${bodyClasses[theme]} *`).first().waitFor();
  return frame;
}

async function lookAt(where: Page | Frame, selector: string, place: string): Promise<readonly Finding[]> {
  await where.evaluate(axe.source);
  const options: RunOptions = { iframes: false, resultTypes: ['violations'], elementRef: true };
  const found = await where.evaluate<readonly FoundElement[]>(`
    axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, element, failureSummary }) => ({
          rule: id, help, html, why: failureSummary ?? '',
          tag: element.localName, role: element.getAttribute('role') ?? '', classes: [...element.classList],
        })),
      ),
    )`);
  return found.map(({ tag, role, classes, ...finding }) => ({
    ...finding,
    place,
    kind: kindOf({ tag, role, classes }),
  }));
}

interface ElementKind {
  readonly tag: string;
  readonly role: string;
  readonly classes: readonly string[];
}

interface FoundElement extends ElementKind, Omit<Finding, 'place' | 'kind'> {}

/** State says nothing about the kind: what is selected, folded, hovered; nor does the number of a list. */
const states =
  /^(?:focused|selected|expanded|collapsed|checked|disabled|active|hover|visible|odd|even|codicon-[\w-]+|list_id_\d+)$/u;

/** What VS Code draws for each view, in ways that the baseline's views happen not to show. */
const drawnByEditor: readonly (readonly [signature: RegExp, why: string])[] = [
  [/^landmark-unique .*welcome-view-content/u, 'each empty view is a region with the name “Welcome”'],
  [/^label-content-name-mismatch .*pane-header/u, 'title and description of a view are joined with a dash'],
  [/^label-content-name-mismatch .*monaco-list-row/u, 'label and description of a row stand without a space'],
  [/^tabindex .*monaco-custom-toggle/u, 'the check box of a row has a tab index of 1'],
  [/^aria-required-children .*monaco-list/u, 'buttons of an answer that waits stand in the list of the chat'],
];

/** `div[tree].a.b`. Pure. */
function kindOf({ tag, role, classes }: ElementKind): string {
  const named = classes.filter((name) => !states.test(name)).sort();
  return `${tag}${role === '' ? '' : `[${role}]`}${named.map((name) => `.${name}`).join('')}`;
}

function report({ baseline, found }: Looks): number {
  const known = new Set(baseline.map(signature));
  const ours = found.filter((finding) => !known.has(signature(finding)) && !isDrawnByEditor(finding));
  const ofOurs = new Set(ours.map(signature));
  for (const key of ofOurs) {
    const findings = ours.filter((finding) => signature(finding) === key);
    const places = new Set(findings.map(({ place }) => place));
    console.log(`\n${key}: ${findings[0]?.help ?? ''}\n  ${[...places].join('; ')}`);
    console.log(`  ${findings[0]?.html.slice(0, 300) ?? ''}\n  ${findings[0]?.why ?? ''}`);
  }
  const kinds = (findings: readonly Finding[]): number => new Set(findings.map(signature)).size;
  for (const [pattern, why] of drawnByEditor) {
    const count = new Set(found.map(signature).filter((key) => pattern.test(key))).size;
    console.log(`Drawn by VS Code, ${String(count)} kinds: ${why}.`);
  }
  console.log(
    `\naxe: ${ofOurs.size} kinds of findings of ours; ${kinds(baseline)} in VS Code's own views, ${kinds(found.filter((each) => known.has(signature(each))))} of them in ours, too.`,
  );
  return ofOurs.size === 0 ? 0 : 1;
}

function isDrawnByEditor(finding: Finding): boolean {
  return drawnByEditor.some(([pattern]) => pattern.test(signature(finding)));
}

function signature({ rule, kind }: Finding): string {
  return `${rule} ${kind}`;
}
