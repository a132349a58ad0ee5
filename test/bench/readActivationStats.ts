import type { Page } from 'playwright-core';

import { createPalette } from '../e2e/driver/palette.ts';
import { patience } from '../../scripts/editorHost/launchBrowser.ts';
import { until } from '../e2e/driver/until.ts';

/** Milliseconds by VS Code's clock, whole ones. */
export interface ActivationStats {
  readonly loadCode: number;
  readonly callActivate: number;
}

/**
 * What VS Code's own report ("Developer: Startup Performance") says about extensions of a window, in the order asked for. It
 * waits until the report, which is written when the window has come to rest, names them all.
 */
export async function readActivationStats(
  page: Page,
  extensionIds: readonly string[],
): Promise<readonly ActivationStats[]> {
  await createPalette(page).run('Developer: Startup Performance');
  const report = page.locator('.part.editor .monaco-editor').last();
  await report.waitFor();
  return await until(
    `VS Code's report on ${extensionIds.join(' and ')}`,
    async () => {
      const stats = parseActivationStats(await copyAll(page, report));
      const found = extensionIds.flatMap((id) => stats.get(id) ?? []);
      return found.length === extensionIds.length && found;
    },
    { timeout: 2 * patience },
  );
}

/** The rows of the report's table on activation, by extension id. Pure. */
export function parseActivationStats(report: string): ReadonlyMap<string, ActivationStats> {
  const section = report.split(/^## /mu).find((each) => each.startsWith('Extension Activation Stats')) ?? '';
  const rows = [...section.matchAll(/^\|\s*(\S+)\s*\|\s*\w+\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|/gmu)];
  return new Map(
    rows.map(([, id = '', load, call]) => [id, { loadCode: Number(load), callActivate: Number(call) }]),
  );
}

/** An editor renders only the lines in view, so its text goes through the clipboard. */
async function copyAll(page: Page, editor: ReturnType<Page['locator']>): Promise<string> {
  // Else a copy that did not work would give the text of the window before.
  await page.evaluate('navigator.clipboard.writeText("")');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+C');
  return await page.evaluate<string>('navigator.clipboard.readText()');
}
