import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import {
  startScriptedModelServer,
  textAnswer,
  toolCallAnswer,
} from '../test/builders/scriptedModelServer.ts';
import { homeWithModel } from '../test/builders/homeWithModel.ts';
import type { Workbench } from '../test/e2e/driver/openWorkbench.ts';
import { startEditor } from '../test/e2e/driver/startEditor.ts';
import { projectRoot } from './projectRoot.ts';
import { buildExtension } from './runProgram.ts';

const folder = join(projectRoot, 'docs', 'images');

/** Small enough that the text can be read where a page shows the picture at two thirds of its width. */
const windowSize = { width: 1200, height: 720 };

/** Two hunks, so that one can be taken and one refused. */
const patch = `*** Begin Patch
*** Update File: src/tidewatch.mjs
@@
 /** The next \`count\` rows of a tide table after \`now\`. */
-export function nextTides(csv, now, count = 4) {
+export function nextTides(csv, now = new Date(), count = 6) {
   return csv
@@
   for (const { time, height, kind } of nextTides(csv, new Date())) {
-    console.log(\`\${time.toLocaleString()}  \${kind.padEnd(4)}  \${height.toFixed(1)} m\`);
+    console.log(\`\${time.toISOString()}  \${kind.padEnd(4)}  \${height.toFixed(1)} m\`);
   }
*** End Patch`;

/**
 * `pictures`: drives the real workbench through the main loop and writes the pictures of the README and the walkthrough to
 * docs/images. Run it when a surface that they show has changed, and look at them before they are committed. The drawings beside them
 * (`*.txt`), which the README of a package has instead, are made by hand.
 */
export async function main(): Promise<number> {
  if ((await buildExtension()) !== 0) return 1;
  await mkdir(folder, { recursive: true });
  const server = await startScriptedModelServer();
  const editor = await startEditor();
  try {
    const workspace = { copyOf: 'examples/workspace' };
    const withoutModel = await editor.open({ workspace, trust: 'trusted' });
    await withoutModel.page.setViewportSize(windowSize);
    await takeFirstSteps(withoutModel);
    server.script(
      toolCallAnswer([{ name: 'read', arguments: { path: 'src/tidewatch.mjs' } }]),
      toolCallAnswer([{ name: 'apply_patch', arguments: { input: patch } }], {
        text: 'It shows six tides now, and prints their times in UTC.',
      }),
      textAnswer('Done: `nextTides` returns six tides. I kept the printed times as they were.'),
    );
    const home = homeWithModel(server.baseUrl);
    await takeEdit(await editor.open({ workspace, trust: 'trusted', home, fresh: 'no earlier chat' }));
  } finally {
    await editor.dispose();
    await server.dispose();
  }
  return 0;
}

/** What somebody sees who has just installed it. */
async function takeFirstSteps({
  chat,
  editors,
  page,
  palette,
  views,
  notifications,
}: Workbench): Promise<void> {
  await chat.send('Why are times on disk in UTC?');
  await chat.waitForAnswer(/two 02:30 in October/u);
  await chat.click('decisions.md');
  await editors.waitForActive('decisions.md');
  await page.locator('.statusbar').getByText('Activating Extensions').waitFor({ state: 'detached' });
  await take(page, 'chat');

  await palette.run('Pincer: Add Model…');
  await page.locator('.quick-input-title').getByText('Add model: provider').waitFor();
  await take(page, 'model');
  await page.keyboard.press('Escape');

  await palette.run('View: Close All Editors');
  await views.open('Pincer', 'Plugins');
  const tree = views.tree('Plugins');
  await tree.rowWith('Workspace guard').expand();
  await tree.row('Hooks').expand();
  await tree.row('before_tool_call').locator.waitFor();
  await notifications.clearAll();
  await take(page, 'plugins');
}

/** A change from the question to its trace. */
async function takeEdit(bench: Workbench): Promise<void> {
  const { chat, editors, notifications, page, palette, views } = bench;
  await page.setViewportSize(windowSize);
  await views.open('Pincer', 'Review');
  await chat.send('Show six tides, and print their times in UTC');
  await editors.diff.waitFor();
  await page.locator('.codelens-decoration a').first().waitFor();
  await chat.waitForText('tidewatch.mjs');
  await notifications.clearAll();
  await take(page, 'edit');

  await editors.diff.codeLens('✗ Reject', 2);
  await page.locator('.codelens-decoration').getByText('✗ Rejected').waitFor();
  await take(page, 'review');

  await page.keyboard.press('ControlOrMeta+Enter');
  await chat.waitForAnswer(/six tides/u);
  await palette.run('Pincer: Show Last Run');
  const timeline = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await timeline.locator('#lines').getByText('tidewatch.mjs').first().waitFor();
  await take(page, 'trace');
}

/** As WebP, a third of the same PNG; the browser is the encoder. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const png = await page.screenshot({ caret: 'hide' });
  const painter = await page.context().newPage();
  const encode = `(async (png) => {
    const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  })`;
  const webp = Buffer.from(await painter.evaluate<number[]>(`${encode}('${png.toString('base64')}')`));
  await painter.close();
  await writeFile(join(folder, `${name}.webp`), webp);
  console.log(`docs/images/${name}.webp: ${(webp.length / 1000).toFixed(0)} kB`);
}
