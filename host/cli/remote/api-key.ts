import { readFile } from 'node:fs/promises';
import { isWellFormedKey } from '../../auth/api-key.ts';
import { API_KEY_VARIABLE, readApiKeyVariable } from '../../config/settings.ts';
import { fileError } from '../failure.ts';
import { UsageError } from '../parse-args.ts';

/** The API key for --remote: the content of the file, or the environment variable. Throws `UsageError`. */
export async function readApiKey(keyFile: string | undefined): Promise<string> {
  const key = keyFile === undefined ? readApiKeyVariable() : await readKeyFile(keyFile);
  if (key === '' && keyFile === undefined)
    throw new UsageError(`--remote needs an API key. Set ${API_KEY_VARIABLE} or pass --key-file.`);
  // The message must not show the key.
  if (!isWellFormedKey(key))
    throw new UsageError(`${keyFile ?? API_KEY_VARIABLE} does not hold an API key, or the key has a typo.`);
  return key;
}

async function readKeyFile(path: string): Promise<string> {
  try {
    // May be a pipe from a password manager: --key-file <(pass tracesmith)
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new UsageError(`--key-file ${path}: ${fileError('cannot_read', error).message}`);
  }
}
