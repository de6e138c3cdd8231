// The languages of the page: a file and a line each.

export { en } from './en';
export { es } from './es';
