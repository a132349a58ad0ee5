import { expect, it } from 'vitest';
import { requestsText } from './requestsText.ts';

const heads = ['Time', 'Method', 'Path', 'Status', 'ms'] as const;
const request = (at: number, path: string) => ({ at, method: 'GET', path, status: 200, durationMs: 1.25 });

it('lists requests in columns, the newest first', () => {
  const text = requestsText([request(1, '/healthz'), request(2, '/callback/x')], heads, String);
  expect(text).toBe(
    [
      'Time  Method  Path         Status   ms',
      '2     GET     /callback/x     200  1.3',
      '1     GET     /healthz        200  1.3',
      '',
    ].join('\n'),
  );
});

it('takes keys and hidden characters out of paths', () => {
  const text = requestsText(
    [request(1, '/hook/sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d\u202E')],
    heads,
    String,
  );
  expect(text).toContain('[key removed]');
  expect(text).not.toMatch(/aB3dE5|\u202E/u);
});
