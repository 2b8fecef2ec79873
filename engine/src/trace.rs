use crate::{Error, Image, Options};

/// Traces `image` and gives the SVG text.
///
/// # Errors
/// [`Error::OptionOutOfRange`] for the first option outside its range.
pub fn trace(image: &Image<'_>, options: &Options) -> Result<String, Error> {
    options.validate()?;
    let (width, height) = (image.width(), image.height());
    Ok(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"></svg>"#
    ))
}
