//! Pickles results by their fields, so that they can go to other processes and into files.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The next of the fields that a pickle holds.
pub(crate) fn next<'py, T>(fields: &mut impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let missing = || PyValueError::new_err("a pickle of another version; expected more fields");
    let field = fields.next().ok_or_else(missing)?;
    field.extract().map_err(Into::into)
}

/// What pickle asks for: what makes such an object, and of which fields.
pub(crate) type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// Makes a class with these fields picklable.
macro_rules! pickled {
    ($class:ident { $($field:ident),+ $(,)? }) => {
        #[pymethods]
        impl $class {
            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<$crate::pickled::Parts<'py>> {
                use pyo3::IntoPyObjectExt;
                let (py, own) = (slf.py(), slf.get());
                let fields = [$(own.$field.clone().into_py_any(py)?),+];
                let restored = slf.as_any().get_type().getattr("_restored")?;
                Ok((restored, pyo3::types::PyTuple::new(py, fields)?))
            }

            // Of the class: pickle finds no other functions.
            #[classmethod]
            #[pyo3(signature = (*fields))]
            fn _restored(
                _: &Bound<'_, pyo3::types::PyType>,
                fields: &Bound<'_, pyo3::types::PyTuple>,
            ) -> PyResult<$class> {
                let mut fields = fields.iter();
                Ok($class { $($field: $crate::pickled::next(&mut fields)?),+ })
            }
        }
    };
}

pub(crate) use pickled;
