import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

import {
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
  const { chat, page, palette, notifications } = bench;
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

  await chat.send('Write the log.');
  await notifications.waitFor('log.md');
  await notifications.clearAll();
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
      found.push(...(await lookAt(await webview(page), 'body', `${name}, ${theme}`)));
      await bench.screenshot(`axe-${name}-${theme}`);
    });
  }
  return { baseline, found };
}

/** The page inside of the webview that shows. */
async function webview(page: Page): Promise<Frame> {
  const inner = page.frameLocator('iframe.webview.ready').locator('iframe#active-frame');
  await inner.waitFor();
  const element = await inner.elementHandle();
  const frame = await element.contentFrame();
  if (frame === null) throw new Error('There is no webview.');
  await frame.locator('body *').first().waitFor();
  return frame;
}

async function lookAt(where: Page | Frame, selector: string, place: string): Promise<readonly Finding[]> {
  await where.evaluate(axe.source);
  const options: RunOptions = { iframes: false, resultTypes: ['violations'] };
  const call = `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)})`;
  const { violations } = await where.evaluate<AxeResults>(call);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => ({ place, rule: id, help, kind: kindOf(html), html })),
  );
}

/** State says nothing about the kind: what is selected, folded, hovered. */
const states = /^(?:focused|selected|expanded|collapsed|checked|disabled|active|hover|visible|odd|even)$/u;

/** `<div class="b a focused" role="x">` is `div[x].a.b`. Pure. */
function kindOf(html: string): string {
  const opening = /^<[^>]*>/u.exec(html)?.[0] ?? html;
  const tag = /^<([\w-]+)/u.exec(opening)?.[1] ?? '';
  const role = /\srole="([^"]*)"/u.exec(opening)?.[1];
  const classes = (/\sclass="([^"]*)"/u.exec(opening)?.[1] ?? '').split(/\s+/u);
  const named = classes.filter((name) => name !== '' && !states.test(name)).sort();
  return `${tag}${role === undefined ? '' : `[${role}]`}${named.map((name) => `.${name}`).join('')}`;
}

function report({ baseline, found }: Looks): number {
  const known = new Set(baseline.map(signature));
  const ours = found.filter((finding) => !known.has(signature(finding)));
  const ofOurs = new Set(ours.map(signature));
  for (const key of ofOurs) {
    const findings = ours.filter((finding) => signature(finding) === key);
    const places = new Set(findings.map(({ place }) => place));
    console.log(`\n${key}: ${findings[0]?.help ?? ''}\n  ${[...places].join('; ')}`);
    console.log(`  ${findings[0]?.html.slice(0, 300) ?? ''}`);
  }
  const kinds = (findings: readonly Finding[]): number => new Set(findings.map(signature)).size;
  console.log(
    `\naxe: ${ofOurs.size} kinds of findings of ours; ${kinds(baseline)} in VS Code's own views, ${kinds(found) - ofOurs.size} of them in ours, too.`,
  );
  return ofOurs.size === 0 ? 0 : 1;
}

function signature({ rule, kind }: Finding): string {
  return `${rule} ${kind}`;
}
