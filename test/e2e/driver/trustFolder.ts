import type { Page } from 'playwright-core';

import { clickUntil } from './until.ts';

/** Trusts the window's folder as a user does: the banner's "Manage", then "Trust". */
export async function trustFolder(page: Page): Promise<void> {
  const editor = page.locator('.workspace-trust-editor');
  const trust = editor.getByRole('button', { name: 'Trust', exact: true });
  await clickUntil(page.locator('.part.banner').getByText('Manage'), () => trust.isVisible());
  const trusted = editor
    .getByText('You trust this folder')
    .or(editor.getByText('You trust this workspace'))
    .first();
  // The editor draws its buttons anew with each look at the folder.
  await clickUntil(trust, () => trusted.isVisible());
  // The editor opens over the workbench; its own close button gives the workbench back.
  const over = page.locator('.monaco-modal-editor-block');
  await clickUntil(over.locator('.codicon-close').first(), async () => !(await over.isVisible()));
}
