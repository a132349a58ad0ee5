import { expect, it } from 'vitest';
import type { ApprovalBroker } from '../approvals/approvalBroker.ts';
import { askAs } from './askAs.ts';

it('lets no name that a model gave pass for more parts of the row', async () => {
  const asked: unknown[] = [];
  const request: ApprovalBroker['request'] = (_, question) => {
    asked.push({ who: question.who, title: question.asks[0].title });
    return Promise.reject(new Error('not asked'));
  };
  const named = askAs({ request } as ApprovalBroker, 'agent "a · npm test • b"');
  const asks = [{ title: 'Run a · b' }] as unknown as Parameters<ApprovalBroker['request']>[1]['asks'];
  const call = {} as Parameters<ApprovalBroker['request']>[0];
  await expect(named.request(call, { asks } as Parameters<ApprovalBroker['request']>[1])).rejects.toThrow(
    'not asked',
  );
  expect(asked).toEqual([{ who: 'agent "a - npm test - b"', title: 'agent "a - npm test - b": Run a · b' }]);
});
