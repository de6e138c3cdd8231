//! Values that have names, of which more may come.

/// Makes a type of names. A name that is not known is kept as it came.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($(#[$means:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$means])* $value,)+
            /// One that this version does not know.
            Other(String),
        }

        impl $type {
            /// Its name, as the API has it.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$value => $name,)+
                    Self::Other(name) => name,
                }
            }
        }

        impl From<&str> for $type {
            fn from(name: &str) -> Self {
                match name {
                    $($name => Self::$value,)+
                    name => Self::Other(name.to_owned()),
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;

                impl serde::de::Visitor<'_> for Visitor {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a text")
                    }

                    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<$type, E> {
                        Ok(name.into())
                    }
                }

                deserializer.deserialize_str(Visitor)
            }
        }
    };
}

pub(super) use named;
