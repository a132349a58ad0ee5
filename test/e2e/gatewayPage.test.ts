import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect } from 'vitest';
import { createGate, textAnswer, toolCallAnswer } from '../builders/scriptedModelServer.ts';
import { clickAtOnce, createChatView, dropFile } from './driver/chatView.ts';
import { keepPicture, type Workbench } from './driver/openWorkbench.ts';
import { isInTime, seeing, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

it('says in the status bar which turn a restart waits for, until it has come', async ({
  withWorkbench,
  server,
}) => {
  const gate = createGate();
  server.script(toolCallAnswer([{ name: 'gateway', arguments: { action: 'restart' } }]), {
    steps: [{ wait: gate.opened }, ...textAnswer('It restarts now.').steps],
  });
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 }, tools: { alsoAllow: ['gateway'] } });
  const workspace = { files: { 'days/log.md': 'day 1: calm\n' } };
  await withWorkbench('gateway-restart', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, page } = bench;
    await startGateway(bench);
    const item = page.locator(
      '.statusbar-item[id*="pincer.status"] [aria-label*="restarts once no turn runs"]',
    );
    await chat.send('Restart the gateway, please');
    await chat.decide('Allow once');
    await item.waitFor();
    expect(await item.getAttribute('aria-label')).toContain('It waits for Restart the gateway, please');
    gate.open();
    await item.waitFor({ state: 'detached' });
    await chat.waitForAnswer(/It restarts now/u);
    await stopGateway(bench);
  });
});

it('pairs a second screen by its code, and lands an edit that is approved there', async ({
  withWorkbench,
  server,
}) => {
  const edit = { path: 'days/log.md', edits: [{ oldText: 'calm', newText: 'storm' }] };
  server.script(
    toolCallAnswer([{ name: 'edit', arguments: edit }], { text: 'I write it down.' }),
    textAnswer('It is in the log.'),
  );
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 } });
  const workspace = { files: { 'days/log.md': 'day 1: calm\n' } };
  await withWorkbench('gateway-page', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, palette, notifications, screenshot } = bench;
    const address = await startGateway(bench);
    const isOn = page.locator('.statusbar-item[id*="pincer.status"] .codicon-radio-tower');
    await isOn.waitFor();
    const remote = await page.context().newPage();
    const problems: string[] = [];
    remote.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    try {
      await remote.setViewportSize({ width: 420, height: 800 });
      await remote.goto(address);
      const code = remote.locator('#code');
      await code.filter({ hasText: /^\d{6}$/u }).waitFor();
      expect(await remote.locator('#cover').innerText()).toMatch(/^Pincer\n/u);
      await keepPicture(remote, 'gateway-page-code');
      const asked = `Code ${await code.innerText()}`;
      await page.bringToFront();
      await notifications.waitFor(asked);
      await screenshot('gateway-page-pairing');
      await notifications.decide(asked, 'Allow Once', async () => await remote.locator('#cover').isHidden());
      await remote.bringToFront();
      await remote.locator('#cover').waitFor({ state: 'hidden' });
      const early = remote.evaluate(clickAtOnce);
      await remote.getByLabel('Message to Pincer').fill('Write down the storm');
      await remote.getByLabel('Message to Pincer').press('Enter');
      const question = remote.locator('#items > .question.open');
      await question.getByText('storm').first().waitFor();
      expect(await early).toEqual({
        said: 'Not allowed yet: the buttons had just moved. Click again.',
        isInSight: true,
      });
      await keepPicture(remote, 'gateway-page-question');
      await remote.emulateMedia({ colorScheme: 'dark' });
      await remote.setViewportSize({ width: 300, height: 800 });
      await keepPicture(remote, 'gateway-page-dark');
      await expect
        .poll(() => question.getByRole('button').allInnerTexts())
        .toEqual(['Allow once', 'Deny', 'Say why…']);
      const file = join(bench.workspace, 'days', 'log.md');
      await until('the edit to land', async () => {
        // A click counts once the question has stood still for a moment, and it goes with the answer.
        const yes = question.locator('button[data-key="once"]:not([aria-disabled])');
        await isInTime(() => yes.click({ timeout: 1_000 }));
        return (await readFile(file, 'utf8')).includes('storm');
      });
      await remote.locator('#items > .answer').filter({ hasText: 'It is in the log.' }).waitFor();
      await remote.locator('#items > .step').filter({ hasText: /Edit/u }).waitFor();
      await remote.locator('#items > .note').filter({ hasText: 'Changed days/log.md' }).waitFor();
      // Another session is opened once the turn is over, which is a moment after its answer.
      await remote.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
      await remote.getByRole('button', { name: 'Sessions…' }).click();
      await remote
        .locator('#chooser')
        .getByRole('button', { name: /Write down the storm/u })
        .waitFor();
      const time = await remote.locator('#chooser .about').first().innerText();
      expect(time).toContain(String(new Date().getFullYear()));
      await keepPicture(remote, 'gateway-page-sessions');
      await remote.keyboard.press('Escape');
      await remote.locator('#chooser').waitFor({ state: 'hidden' });

      // The page's own model, commands and files; nothing of it opens anything in VS Code.
      await remote.locator('#model').click();
      await remote.locator('#chooser').getByRole('button', { name: 'Default of the config' }).waitFor();
      await keepPicture(remote, 'gateway-page-models');
      await remote
        .locator('#chooser')
        .getByRole('button', { name: /loopback\/scripted/u })
        .click();
      const input = remote.getByLabel('Message to Pincer');
      await input.pressSequentially('/');
      const offers = remote.locator('#offers .offer');
      await offers.filter({ hasText: '/status' }).waitFor();
      expect(await offers.filter({ hasText: '/approve' }).count()).toBe(0);
      await input.fill('');
      await input.pressSequentially('Compare #log');
      await offers.filter({ hasText: 'log.md' }).waitFor();
      await remote.keyboard.press('Enter');
      await remote.locator('body').evaluate(dropFile, { name: 'tide.txt', text: 'The tide is high.' });
      const chips = remote.locator('#chips .chip');
      await chips.filter({ hasText: 'tide.txt' }).waitFor();
      await keepPicture(remote, 'gateway-page-attached');
      server.script(textAnswer('Both are wet.'));
      await input.press('Enter');
      await remote.locator('#items > .answer').filter({ hasText: 'Both are wet.' }).waitFor();
      const sent = JSON.stringify(server.requests.at(-1)?.body?.messages);
      expect(sent).toContain('The tide is high.');
      expect(sent).toContain('day 1: storm');
      await remote.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
      expect(problems).toEqual([]);
      await remote.reload();
      await remote.locator('#items > .answer').filter({ hasText: 'Both are wet.' }).waitFor();

      await page.bringToFront();
      await palette.run('Pincer: Revoke Access of a Browser…');
      await expect
        .poll(() => palette.entries())
        .toEqual([expect.stringMatching(/^Chrome \d+ \(/u) as string]);
      const [browser = ''] = await palette.entries();
      await screenshot('gateway-page-browsers');
      await palette.pick(browser);
      await notifications.waitFor(`${browser} no longer has access.`);
      await remote.bringToFront();
      await remote.getByText('this browser has lost its access').waitFor();
    } finally {
      await remote.close();
    }
    const late = await page.context().newPage();
    try {
      await late.goto(address);
      const code = late.locator('#code');
      await code.filter({ hasText: /^\d{6}$/u }).waitFor();
      const asked = `Code ${await code.innerText()}`;
      await page.bringToFront();
      await notifications.waitFor(asked);
      await palette.run('Pincer: Stop Gateway');
      await notifications.waitFor('The gateway is off.');
      await isOn.waitFor({ state: 'detached' });
      await notifications.click(asked, 'Allow Once');
      await notifications.waitFor('That browser is no longer waiting.');
    } finally {
      await late.close();
    }
  });
});

it('takes the question of a browser that left back, and a yes behind the bell lets nobody in', async ({
  withWorkbench,
  server,
}) => {
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 } });
  await withWorkbench(
    'gateway-page-left',
    { workspace: { files: {} }, trust: 'trusted', home },
    async (bench) => {
      const { page, notifications, screenshot } = bench;
      const address = await startGateway(bench);
      const remote = await page.context().newPage();
      await remote.goto(address);
      const code = remote.locator('#code');
      await code.filter({ hasText: /^\d{6}$/u }).waitFor();
      const asked = `Code ${await code.innerText()}`;
      await page.bringToFront();
      await notifications.waitFor(asked);
      const told = page.locator('.statusbar').getByText('is no longer waiting. It was not given access.');
      await seeing(told, () => remote.close());
      await until('the toast to go', async () => (await notifications.countToasts(asked)) === 0);
      await screenshot('gateway-page-left');
      await notifications.click(asked, 'Allow Once');
      await notifications.waitFor('That browser is no longer waiting.');

      // Nobody may ask now: a page says so at once, and asks by itself later; a no leaves it to the person to try again.
      const next = await page.context().newPage();
      await next.goto(address);
      const soon = next.getByText('This one asks by itself as soon as it may.');
      await soon.waitFor();
      await keepPicture(next, 'gateway-page-soon');
      const nextCode = next.locator('#code').filter({ hasText: /^\d{6}$/u });
      await nextCode.waitFor();
      const askedAgain = `Code ${await nextCode.innerText()}`;
      await page.bringToFront();
      await notifications.waitFor(askedAgain);
      const again = next.getByRole('button', { name: 'Try Again' });
      await notifications.decide(askedAgain, 'Deny', async () => await again.isVisible());
      await next.bringToFront();
      await again.click();
      await soon.waitFor();
      await next.close();
      await stopGateway(bench);
    },
  );
});

it('begins a page that is paired later with the question that waits', async ({ withWorkbench, server }) => {
  const edit = { path: 'log.md', edits: [{ oldText: 'calm', newText: 'storm' }] };
  server.script(toolCallAnswer([{ name: 'edit', arguments: edit }]), textAnswer('It is in the log.'));
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 } });
  const workspace = { files: { 'log.md': 'day 1: calm\n' } };
  await withWorkbench('gateway-page-waits', { workspace, trust: 'trusted', home }, async (bench) => {
    const address = await startGateway(bench);
    await bench.views.open('Pincer', 'Chat');
    const chat = createChatView(bench.page);
    await chat.send('Write down the storm');
    await chat.frame.locator('.question.open').waitFor();
    const remote = await pairPage(bench, address);
    const question = remote.locator('#items > .question.open');
    await question.getByText('storm').first().waitFor();
    await remote.locator('#items > .user').filter({ hasText: 'Write down the storm' }).waitFor();
    await question
      .locator('.time')
      .filter({ hasText: /\d:\d\d/u })
      .waitFor();
    await keepPicture(remote, 'gateway-page-waits');
    const file = join(bench.workspace, 'log.md');
    await until('the edit to land', async () => {
      const yes = question.locator('button[data-key="once"]:not([aria-disabled])');
      await isInTime(() => yes.click({ timeout: 1_000 }));
      return (await readFile(file, 'utf8')).includes('storm');
    });
    await remote.locator('#items > .answer').filter({ hasText: 'It is in the log.' }).waitFor();

    // Of another conversation it says so, and leads there.
    const again = { path: 'log.md', edits: [{ oldText: 'storm', newText: 'hail' }] };
    server.script(toolCallAnswer([{ name: 'edit', arguments: again }]), textAnswer('Then not.'));
    await bench.page.bringToFront();
    await chat.button('New Session').click();
    await chat.send('Write down the hail');
    await chat.frame.locator('.question.open').waitFor();
    await remote.bringToFront();
    const lead = remote.getByRole('button', { name: 'Another conversation asks' });
    await lead.waitFor();
    await keepPicture(remote, 'gateway-page-elsewhere');
    await lead.click();
    await question.getByText('hail').first().waitFor();
    await remote.locator('#items > .user').filter({ hasText: 'Write down the hail' }).waitFor();
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    await remote.close();
    await stopGateway(bench);
  });
});

it('leaves its own turn to itself as it shows another conversation, and shows what that left', async ({
  withWorkbench,
  server,
}) => {
  const gate = createGate();
  server.script(textAnswer('It is calm.'), {
    steps: [
      { text: 'The storm ' },
      { wait: gate.opened },
      { text: 'is over.' },
      { finish: 'stop' },
      { mark: true },
    ],
  });
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 } });
  const options = { workspace: { files: {} }, trust: 'trusted', home } as const;
  await withWorkbench('gateway-page-leaves', options, async (bench) => {
    const remote = await pairPage(bench, await startGateway(bench));
    const input = remote.getByLabel('Message to Pincer');
    const answer = remote.locator('#items > .answer');
    const stop = remote.getByRole('button', { name: 'Stop', exact: true });
    const open = async (title: RegExp): Promise<void> => {
      await remote.getByRole('button', { name: 'Sessions…' }).click();
      await remote.locator('#chooser').getByRole('button', { name: title }).click();
    };
    await input.fill('How is the sea?');
    await input.press('Enter');
    await answer.filter({ hasText: 'It is calm.' }).waitFor();
    await stop.waitFor({ state: 'hidden' });
    await remote.getByRole('button', { name: 'New Session' }).click();
    await remote.locator('#empty').waitFor();
    await input.fill('How is the storm?');
    await input.press('Enter');
    await answer.filter({ hasText: 'The storm' }).waitFor();
    await remote.getByRole('button', { name: 'New Session' }).click();
    await remote.locator('#empty').waitFor();
    await stop.waitFor({ state: 'hidden' });
    await open(/How is the sea/u);
    await answer.filter({ hasText: 'It is calm.' }).waitFor();
    await stop.waitFor({ state: 'hidden' });
    await open(/How is the storm/u);
    await remote.locator('#items > .user').filter({ hasText: 'How is the storm?' }).waitFor();
    await stop.waitFor();
    await remote.getByText('A turn runs. Its answer shows here once it has ended.').waitFor();
    gate.open();
    await answer.filter({ hasText: 'The storm is over.' }).waitFor();
    await stop.waitFor({ state: 'hidden' });
    expect(await remote.locator('#items > .note').allInnerTexts()).toEqual([]);
    await keepPicture(remote, 'gateway-page-leaves');
    await remote.close();
    await stopGateway(bench);
  });
});

it('says that a yes came too late, where the question was answered elsewhere before', async ({
  withWorkbench,
  server,
}) => {
  const edit = { path: 'log.md', edits: [{ oldText: 'calm', newText: 'storm' }] };
  server.script(toolCallAnswer([{ name: 'edit', arguments: edit }]), textAnswer('Then not.'));
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 } });
  const workspace = { files: { 'log.md': 'day 1: calm\n' } };
  await withWorkbench('gateway-page-late', { workspace, trust: 'trusted', home }, async (bench) => {
    const address = await startGateway(bench);
    await bench.views.open('Pincer', 'Chat');
    const chat = createChatView(bench.page);
    await chat.send('Write down the storm');
    await chat.frame.locator('.question.open').waitFor();
    // What the gateway says reaches the page only later.
    let held: (() => void)[] | undefined;
    const remote = await pairPage(bench, address, (route) => {
      const gateway = route.connectToServer();
      gateway.onMessage((message) => {
        if (held === undefined) route.send(message);
        else held.push(() => route.send(message));
      });
    });
    const yes = remote.locator('.question.open button[data-key="once"]:not([aria-disabled])');
    await yes.waitFor();
    held = [];
    await bench.page.bringToFront();
    await chat.button('Deny').click();
    await chat.waitForAnswer('Then not.');
    await remote.bringToFront();
    await yes.click();
    for (const tell of held) tell();
    held = undefined;
    await remote.locator('#items > .note').filter({ hasText: 'Answered already: Denied' }).waitFor();
    await keepPicture(remote, 'gateway-page-late');
    expect(await bench.read('log.md')).toBe('day 1: calm\n');
    await remote.close();
    await stopGateway(bench);
  });
});

it('lets a turn end whose tab was closed, and has it where the page is opened again', async ({
  withWorkbench,
  server,
}) => {
  const gate = createGate();
  server.answerAll(() => ({
    steps: [
      { text: 'The storm ' },
      { wait: gate.opened },
      { text: 'is over.' },
      { finish: 'stop' },
      { mark: true },
    ],
  }));
  const home = homeWithModel(server.baseUrl, { gateway: { port: 0 } });
  const options = { workspace: { files: {} }, trust: 'trusted', home } as const;
  await withWorkbench('gateway-page-closed', options, async (bench) => {
    const address = await startGateway(bench);
    const closed = await pairPage(bench, address);
    await closed.getByLabel('Message to Pincer').fill('Is the storm over?');
    await closed.getByLabel('Message to Pincer').press('Enter');
    await closed.locator('#items > .answer').filter({ hasText: 'The storm' }).waitFor();
    await closed.close();
    const opened = await pairPage(bench, address);
    gate.open();
    await opened.getByRole('button', { name: 'Sessions…' }).click();
    await opened
      .locator('#chooser')
      .getByRole('button', { name: /Is the storm over/u })
      .click();
    await opened.locator('#items > .answer').filter({ hasText: 'The storm is over.' }).waitFor();
    await opened.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
    expect(await opened.locator('#items > .note').allInnerTexts()).toEqual([]);
    await keepPicture(opened, 'gateway-page-again');
    await opened.close();
    await stopGateway(bench);
  });
});

/** Gives its address. */
async function startGateway({ palette, notifications }: Workbench): Promise<string> {
  await palette.run('Pincer: Start Gateway');
  const told = await notifications.waitFor('The gateway runs on');
  return /http:\/\/127\.0\.0\.1:\d+/u.exec(told)?.[0] ?? '';
}

async function stopGateway({ page, palette, notifications }: Workbench): Promise<void> {
  await page.bringToFront();
  await palette.run('Pincer: Stop Gateway');
  await notifications.waitFor('The gateway is off.');
}

/** A tab of its own, let in by its code. */
async function pairPage(
  { page, notifications }: Workbench,
  address: string,
  between?: (route: WebSocketRoute) => void,
): Promise<Page> {
  const remote = await page.context().newPage();
  if (between !== undefined) await remote.routeWebSocket(/\/ws$/u, between);
  await remote.setViewportSize({ width: 420, height: 800 });
  await remote.goto(address);
  const code = remote.locator('#code');
  await code.filter({ hasText: /^\d{6}$/u }).waitFor();
  const asked = `Code ${await code.innerText()}`;
  await page.bringToFront();
  await notifications.waitFor(asked);
  await notifications.decide(asked, 'Allow Once', async () => await remote.locator('#cover').isHidden());
  await remote.bringToFront();
  await remote.locator('#cover').waitFor({ state: 'hidden' });
  return remote;
}
