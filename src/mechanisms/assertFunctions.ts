import { checkOptions } from './optionMistakes.js';

interface Requirement {
  /** The function of the kit that the options are for. */
  readonly caller: string;
  /** The functions that the options must have. */
  readonly required: readonly string[];
  /** The call with all of them, as a user would write it. */
  readonly example: string;
}

/**
 * Checks the options of a session.
 *
 * @throws TypeError when one of the required functions is missing. The message has the line to write.
 */
export function assertFunctions(options: unknown, { caller, required, example }: Requirement): void {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  const missing = required.filter(name => typeof given[name] !== 'function');
  if (missing.length === 0) return checkOptions(caller, given);
  const names = missing.map(name => `\`${name}\``).join(' and ');
  throw new TypeError(
    `${caller}() needs ${missing.length > 1 ? 'functions' : 'a function'} ${names}. Write it as ${example}.`,
  );
}
