const ANSWER_TIMEOUT_MS = 10_000;

/** The response of a webhook receiver. */
export interface HookAnswer {
  status: number;
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown;
}

/** Posts JSON with additional headers. Rejects if there is no response. */
export async function postJson(url: string, rawBody: Buffer, headers: Record<string, string>): Promise<HookAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: rawBody,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return { status: response.status, body: parseAnswer(await response.text()) };
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
