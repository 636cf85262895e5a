import { onTestFinished, vi } from 'vitest';

/** From now on, and until the test ends, a body that is no JSON rejects as in WebKit: with a `DOMException`, and no JavaScript `SyntaxError`. */
export function useWebkitJson(): void {
  const json = vi.spyOn(Response.prototype, 'json');
  onTestFinished(() => json.mockRestore());
  json.mockImplementation(async function (this: Response): Promise<unknown> {
    const text = await this.text();
    try {
      return JSON.parse(text);
    } catch {
      throw new DOMException('The string did not match the expected pattern.', 'SyntaxError');
    }
  });
}
