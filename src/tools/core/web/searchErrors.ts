import { PincerError } from '../../../base/errors.ts';

/** The config names a key that nobody has stored. */
export function missingKey(service: string): PincerError {
  return new PincerError(
    'web_search_key',
    `The key of ${service} was not found where tools.web.search.apiKey says.`,
    {
      hint: 'The user must store the key there. Go on without a search.',
    },
  );
}

/** The service answered with an error status. */
export function refusedSearch(service: string, status: number): PincerError {
  const hints: Readonly<Record<number, string>> = {
    401: 'The user must check the key of the service.',
    403: 'The user must check the key of the service, or for SearXNG that its JSON format is switched on (search.formats).',
    429: 'Too many searches: wait a while.',
  };
  return new PincerError('web_search_status', `${service} answered with status ${status}.`, {
    hint: hints[status] ?? 'Try again later, or go on without a search.',
  });
}

/** The answer has another form than the service documents. */
export function unreadableAnswer(service: string): PincerError {
  return new PincerError('web_search_answer', `The answer of ${service} is not what its search gives.`, {
    hint: 'The user must check tools.web.search. Go on without a search.',
  });
}
