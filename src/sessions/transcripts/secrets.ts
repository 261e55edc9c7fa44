import { SERVICE_KEY } from "./secrets/keys.ts";
import { maskManifests } from "./secrets/manifests.ts";
import { MASK } from "./secrets/mask.ts";
import { maskNamed } from "./secrets/named.ts";
import { maskColumns, maskPlaces, maskRandom } from "./secrets/places.ts";

/** The text with `•••` in the place of whatever looks like a key, a token or a password. */
export function maskSecrets(text: string): string {
  return maskRandom(maskNamed(maskColumns(maskPlaces(maskManifests(text)).replace(SERVICE_KEY, MASK))));
}
