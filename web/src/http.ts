import { ABOUT_THE_LINK, ABOUT_THE_PIN } from './generated/contract';

/** What a door link's calls are signed with. */
export interface Bearer {
  token: string;
  pass: string | null;
}

/** No usable answer came: no connection, too slow, an overloaded server, or somebody else's login page. */
export class Unreachable extends Error {
  readonly retryAfterSeconds: number;
  readonly tooManyTries: boolean;

  constructor(reason: string, retryAfterSeconds = 0, tooManyTries = false) {
    super(reason);
    this.retryAfterSeconds = retryAfterSeconds;
    this.tooManyTries = tooManyTries;
  }
}

/** Somebody on the way answered in the server's place, or failed. It may be about this one call: another may get through. */
export class Blocked extends Unreachable {}

/** The server understood, and said no. The message is for people. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }

  /** Whether the link itself, rather than this one call, was turned down. */
  get isAboutTheLink(): boolean {
    return ABOUT_THE_LINK.includes(this.code);
  }

  /** Whether the PIN is what is missing. */
  get isAboutThePin(): boolean {
    return ABOUT_THE_PIN.includes(this.code);
  }
}

// These are about the connection or the load, whatever was asked: a body that came too slowly, too many calls, a server that is not
// reached or asks for patience. Any other failure, such as a 500, may be about what was asked.
const IN_TROUBLE = [408, 429, 502, 503, 504];

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  timeoutMs: number;
  /** A field that a real answer has: the "200 OK" of a hotel's login page must not pass for one. */
  mustHave: string;
  /** The codes of refusals that are about this call; those about the link may come with every call. */
  refusals?: readonly string[];
}

export async function call<Answer>(bearer: Bearer, wanted: Call): Promise<Answer> {
  const { method, path, body, timeoutMs, mustHave, refusals = [] } = wanted;
  const headers: Record<string, string> = { Authorization: `Bearer ${bearer.token}` };
  if (bearer.pass !== null) headers['Door-Pass'] = bearer.pass;
  if (body !== undefined) headers['Content-Type'] = 'application/json';

  let response: Response;
  let text: string;
  try {
    response = await fetch(`/door/v1/${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: timeLimit(timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    throw new Unreachable(String(error));
  }

  const { status } = response;
  if (IN_TROUBLE.includes(status)) {
    const seconds = Number(response.headers.get('Retry-After') ?? 0) || 0;
    throw new Unreachable(`status ${status}`, seconds, status === 429);
  }
  const answer = parsed(text);
  if (isRecord(answer)) {
    if (response.ok && mustHave in answer) return answer as Answer;
    const { code, detail } = answer;
    // Whatever else answers on the way may send codes of its own, so only these are taken for the server's word.
    if (!response.ok && typeof code === 'string' && [...ABOUT_THE_LINK, ...refusals].includes(code)) {
      throw new Refused(code, typeof detail === 'string' ? detail : code);
    }
  }
  throw new Blocked(`not an answer of ours: status ${status}`);
}

/** Browsers older than 2022 have no `AbortSignal.timeout`. */
export function timeLimit(milliseconds: number): AbortSignal {
  if ('timeout' in AbortSignal) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
