import { byId } from './dom.ts';

/** Where pictures come in: a picked file, one that is dropped anywhere on the page, or one from the clipboard. */
export function listenForPictures(onPicture: (picture: File) => void): void {
  const input = byId('file', HTMLInputElement);
  input.addEventListener('change', () => {
    take(input.files, onPicture);
    // The same file may be picked again, after it has changed.
    input.value = '';
  });
  byId('pick', HTMLButtonElement).addEventListener('click', () => input.click());
  document.addEventListener('paste', ({ clipboardData }) => take(clipboardData?.files, onPicture));
  listenForDrops(onPicture);
}

function listenForDrops(onPicture: (picture: File) => void): void {
  const { classList } = document.body;
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    classList.add('dropping');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) classList.remove('dropping');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    classList.remove('dropping');
    take(event.dataTransfer?.files, onPicture);
  });
}

function take(files: FileList | null | undefined, onPicture: (picture: File) => void): void {
  const [file] = files ?? [];
  if (file !== undefined) onPicture(file);
}
