import { expect } from 'vitest';
import { textAnswer, toolCallAnswer } from '../builders/scriptedModelServer.ts';
import { answerDialog } from './driver/dialogs.ts';
import { atSize, inTheme } from './driver/looks.ts';
import { until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

it('a job fires, leaves a review in the Approvals view, and goes on once that is answered there', async ({
  withWorkbench,
  server,
}) => {
  const options = {
    workspace: { files: { 'job-log.md': 'day one\n' } },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
    leaves: 'the Schedule view, which is there from the first job on',
  } as const;
  server.script(
    toolCallAnswer([{ name: 'write', arguments: { path: 'job-log.md', content: 'day two\n' } }]),
    textAnswer('Day two is written.'),
  );
  await withWorkbench('schedule', options, async (bench) => {
    const { editors, page, palette, screenshot, views } = bench;
    await views.open('Pincer', 'Approvals');
    const approvals = views.tree('Approvals');
    await palette.run('Pincer: Add Scheduled Job…');
    await page.getByText('Add a job: when').waitFor();
    await palette.enter('2s');
    await page.getByText('Add a job: prompt').waitFor();
    await palette.enter('Write the log of day two');
    const review = approvals.rowWith(/Write job-log\.md/u);
    await review.locator.waitFor();
    await screenshot('i-schedule-review');
    expect(await bench.read('job-log.md')).toBe('day one\n');
    await views.open('Pincer', 'Schedule');
    const schedule = views.tree('Schedule');
    const job = schedule.row('Write the log of day two');
    await job.waitForText('waits for your answer');
    await screenshot('i-schedule-runs');

    await views.open('Pincer', 'Approvals');
    // It has been asked for longer than the half second in which no yes counts: the Schedule view has told of it since.
    await review.action('Allow Once');
    await until('the file to be written', async () => (await bench.read('job-log.md')) === 'day two\n');
    await views.open('Pincer', 'Schedule');
    await job.waitForText(/done/u);
    await job.expand();
    const run = schedule.rowWith(/done: Day two is written\./u);
    await run.locator.waitFor();
    await screenshot('i-schedule-light');
    await inTheme(bench, 'Dark Modern', async () => await screenshot('i-schedule-dark'));
    await atSize(page, { width: 700, height: 800 }, async () => await screenshot('i-schedule-narrow'));
    await run.click();
    await editors.rendered.getByText('Day two is written.').first().waitFor();
    await run.action('Show What Happened in This Run');
    await page.getByText('Last Run').first().waitFor();

    await job.menu('Edit Scheduled Job…');
    await page.getByText('Edit a job: when').waitFor();
    await palette.enter('every weekday at 9:30');
    await page.getByText('Edit a job: prompt').waitFor();
    await palette.enter('Write the log of each day');
    const edited = schedule.row('Write the log of each day');
    await edited.waitForText(/done/u);
    await screenshot('i-schedule-edited');
    await edited.action('Remove Scheduled Job…');
    await answerDialog(page, 'Remove');
    await schedule.waitForWelcome('No job is scheduled.');
    await screenshot('i-schedule-empty');
  });
});

it('a no in words to what a job asks stands in the result of the call and in its transcript', async ({
  withWorkbench,
  server,
}) => {
  const options = {
    workspace: { files: { 'job-log.md': 'day one\n' } },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
    leaves: 'the Schedule view, which is there from the first job on',
  } as const;
  server.script(
    toolCallAnswer([{ name: 'write', arguments: { path: 'job-log.md', content: 'day two\n' } }]),
    textAnswer('The log stays.'),
    toolCallAnswer([{ name: 'write', arguments: { path: 'job-log.md', content: 'day three\n' } }]),
    textAnswer('It stays once more.'),
  );
  await withWorkbench('schedule-words', options, async (bench) => {
    const { chat, editors, page, palette, views } = bench;
    await views.open('Pincer', 'Approvals');
    await palette.run('Pincer: Add Scheduled Job…');
    await page.getByText('Add a job: when').waitFor();
    await palette.enter('2s');
    await page.getByText('Add a job: prompt').waitFor();
    await palette.enter('Write the log of day two');
    const review = views.tree('Approvals').rowWith(/Write job-log\.md/u);
    await review.menu('Deny and Say Why…');
    await page.getByText('The call is denied, and the agent reads your reason').waitFor();
    await palette.enter('Not before Friday');
    const said = 'Denied by user, who says: Not before Friday';
    await until('the model to read it', () =>
      Promise.resolve(JSON.stringify(server.requests.at(-1)?.body?.messages).includes(said)),
    );
    await views.open('Pincer', 'Schedule');
    const job = views.tree('Schedule').row('Write the log of day two');
    await job.waitForText(/done/u);
    await job.expand();
    await views
      .tree('Schedule')
      .rowWith(/done: The log stays\./u)
      .click();
    await editors.rendered.getByText('The log stays.').first().waitFor();
    expect(await bench.read('job-log.md')).toBe('day one\n');

    await job.action('Run Scheduled Job Now');
    await job.waitForText('waits for your answer');
    await chat.send('/approve');
    const [id = ''] = /[0-9a-f]{8}/u.exec(await chat.waitForAnswer(/Write job-log\.md/u)) ?? [];
    await chat.send(`/approve ${id} deny Nor on Monday`);
    await chat.waitForAnswer(/gets your reason as the result of its call/u);
    await views
      .tree('Schedule')
      .rowWith(/done: It stays once more\./u)
      .locator.waitFor();
    const again = JSON.stringify(server.requests.at(-1)?.body?.messages);
    expect(again).toContain('Denied by user, who says: Nor on Monday');
    expect(await bench.read('job-log.md')).toBe('day one\n');
    await job.action('Remove Scheduled Job…');
    await answerDialog(page, 'Remove');
  });
});
