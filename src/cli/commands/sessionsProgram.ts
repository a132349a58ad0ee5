import { Option, type Command } from 'commander';
import type { ExitCode } from '../exitCodes.ts';
import type { Output } from '../output.ts';
import { addTenantOptions } from '../tenantOptions.ts';
import type { CliOptions } from '../withRuntime.ts';
import { runSessionsAction } from './sessionsAction.ts';
import { runSessionsDelete } from './sessionsDelete.ts';
import { runSessionsExport } from './sessionsExport.ts';
import { runSessionsFork } from './sessionsFork.ts';
import { runSessionsList } from './sessionsList.ts';
import { runSessionsRepair } from './sessionsRepair.ts';
import { runSessionsRename } from './sessionsRename.ts';
import { runSessionsSearch } from './sessionsSearch.ts';
import { runSessionsShow } from './sessionsShow.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer sessions …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addSessionsCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const sessions = program.command('sessions').description('look at conversations, and tidy them up');
  const command = (name: string): Command => addTenantOptions(sessions.command(name));
  command('list')
    .description('list the conversations of this workspace, newest first')
    .action(act((options) => runSessionsList(options, output)));
  command('show <id>')
    .description('say what a conversation is and what was said last; the beginning of its id will do')
    .action(act((options, id) => runSessionsShow(options, id, output)));
  command('search <query...>')
    .description('find conversations in which all words were said, best first')
    .action((words: readonly string[], ...rest: unknown[]) =>
      act((options) => runSessionsSearch(options, words.join(' '), output))(...rest),
    );

  command('rename <id> <name...>')
    .description('give a conversation a name')
    .action((id: string, words: readonly string[], ...rest: unknown[]) =>
      act((options) => runSessionsRename(options, id, words.join(' '), output))(id, ...rest),
    );
  command('action <id> <action>')
    .description('run an action of a plugin on a conversation: <plugin>/<action>')
    .option('--payload <json>', 'what the action is given')
    .action((id: string, action: string, ...rest: unknown[]) =>
      act((options) => runSessionsAction(options, id, action, output))(id, ...rest),
    );
  command('fork <id>')
    .description('copy a conversation, up to a point of it; the old one stays as it is')
    .addOption(
      new Option('--before-turn <id>', 'end before this turn (its run id)').conflicts('throughEntry'),
    )
    .option('--through-entry <id>', 'end with this line of the transcript (its id)')
    .action(act((options, id) => runSessionsFork(options, id, output)));
  command('export <id>')
    .description('print a conversation as markdown')
    .option('--output <file>', 'write it to a new file')
    .action(act((options, id) => runSessionsExport(options, id, output)));
  command('repair <id>')
    .description('make a conversation with a damaged first line readable; the file as it was is kept')
    .action(act((options, id) => runSessionsRepair(options, id, output)));
  command('delete <id>')
    .description('delete a conversation and everything that was kept of it')
    .option('-y, --yes', 'do not ask')
    .action(act((options, id) => runSessionsDelete(options, id, output)));
}
