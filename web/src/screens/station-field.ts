import type { KeptLink } from '../database';

const LONGEST_NAME = 80;

/** A field for the station: a choice where the link names its stations, free text otherwise. */
export function stationField(id: string, link: KeptLink): HTMLSelectElement | HTMLInputElement {
  const { stations, label } = link.opening.link;
  if (stations.length === 0) {
    const input = document.createElement('input');
    Object.assign(input, { id, type: 'text', maxLength: LONGEST_NAME, value: link.station, placeholder: label });
    input.autocomplete = 'off';
    return input;
  }
  const select = document.createElement('select');
  select.id = id;
  for (const station of stations) select.add(new Option(station, station, false, station === link.station));
  return select;
}

/** What the field says; an emptied one means the link's own name. */
export function stationIn(field: HTMLSelectElement | HTMLInputElement, link: KeptLink): string {
  // Characters that are not seen, or turn the others round, come from copying; the server takes no name with them.
  return field.value.replace(/[\p{Control}\u202a-\u202e\u2066-\u2069]/gu, '').trim() || link.opening.link.label;
}
