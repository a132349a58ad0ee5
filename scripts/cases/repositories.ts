import { hostileRepositories } from '../../test/samples/unasked/hostileRepositories.ts';
import { gitLines, isRunByGit, isRunUnasked } from '../../test/samples/unasked/tryRepository.ts';

/**
 * Makes each hostile repository, runs what needs no question in it, and says where the program that it names has run; then that it runs
 * where Git is left alone. Gives 1 where one of them is not so.
 */
export async function report(): Promise<number> {
  const all = Object.entries(hostileRepositories);
  const wrong: string[] = [];
  for (const [name, { make, proof }] of all) {
    if (await isRunUnasked(make)) wrong.push(`${name} is run by what needs no question`);
    if (proof !== undefined && !(await isRunByGit(make, proof)))
      wrong.push(`${name} proves nothing: Git alone does not run it`);
  }
  for (const each of wrong) console.log(each);
  console.log(
    `repositories: in ${all.length - wrong.length} of ${all.length} nothing was run by ${gitLines.length} lines that need no question`,
  );
  return wrong.length === 0 ? 0 : 1;
}
