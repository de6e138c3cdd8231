//! `taquilla user`: who can sign in to the dashboard.

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_domain::{
    config::{FOUND_MAX, INVITATION_LASTS, RESET_LASTS},
    email::Email,
    key::Secret,
    role::BuiltInRole,
    text::Name,
};
use taquilla_rules::admin::staff::{
    password_links, team,
    users::{self, Created},
};
use taquilla_store::{
    Store,
    staff::users::{self as rows, User as Row},
};
use taquilla_wire::Time;

use super::{
    by::by,
    common::{Common, OfProducer},
    flags,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
    public_url::PublicUrlArg,
};

#[derive(Subcommand)]
pub enum User {
    /// Create a user in a producer's team, and print the link with which the user chooses a password
    ///
    /// If the e-mail address has a user already, an invitation is printed instead, which that user accepts after signing in.
    Create(Create),
    /// List users, by their e-mail addresses
    List(List),
    /// Print a link with which a user chooses a new password
    ///
    /// The password from before works until then. With --second-factor the user's second factor is removed, too.
    Reset(Reset),
    /// Disable a user: all sessions end at once, and nobody can sign in as this user
    Disable(Which),
    /// Let a disabled user sign in again
    Enable(Which),
}

#[derive(Args)]
pub struct Create {
    /// The e-mail address, with which the user signs in
    #[arg(long, value_parser = Email::parse)]
    email: Email,
    /// The user's name; the e-mail address when it is left out
    #[arg(long, value_parser = Name::parse)]
    name: Option<Name>,
    /// What the user may do: administrator, editor, box_office, door_manager, accountant, viewer, or the id of a role of the producer's own
    #[arg(long)]
    role: String,
    /// The user may also do what concerns all producers: make producers, and disable users
    #[arg(long)]
    operator: bool,
    #[command(flatten)]
    public_url: PublicUrlArg,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct List {
    /// How many
    #[arg(long, value_name = "N", default_value_t = FOUND_MAX as i64, value_parser = flags::limit)]
    limit: i64,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub struct Which {
    /// The user's e-mail address
    #[arg(value_parser = Email::parse)]
    email: Email,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub struct Reset {
    #[command(flatten)]
    which: Which,
    /// Remove the second factor, too, because the user has lost it and the recovery codes
    #[arg(long)]
    second_factor: bool,
    #[command(flatten)]
    public_url: PublicUrlArg,
}

/// A user as commands show it.
#[derive(Serialize)]
struct UserOutput<'a> {
    id: &'a str,
    email: &'a str,
    name: &'a str,
    operator: bool,
    second_factor: bool,
    created_at: Time,
    disabled_at: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

impl<'a> UserOutput<'a> {
    fn new(user: &'a Row, url: Option<&'a str>) -> Self {
        Self {
            id: &user.id,
            email: &user.email,
            name: &user.name,
            operator: user.is_operator,
            second_factor: user.totp.is_some(),
            created_at: Time(user.created_at),
            disabled_at: user.disabled_at.map(Time),
            url,
        }
    }
}

impl User {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Reset(reset) => reset.run().await,
            Self::Disable(which) => which.run(Change::Disable).await,
            Self::Enable(which) => which.run(Change::Enable).await,
        }
    }
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

/// The address of a link that the operator hands over.
async fn address(public_url: &PublicUrlArg, store: &Store, token: &Secret) -> anyhow::Result<String> {
    Ok(format!("{}/dashboard/links/{}", public_url.resolve(store).await?.as_str(), token.reveal()))
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        // A link that leads nowhere helps nobody, so this is asked first.
        self.public_url.resolve(&store).await?;
        if team::rights_of(&mut store.read().await?, tenant, &self.role).await?.is_none() {
            let names: Vec<&str> = BuiltInRole::ALL.iter().map(|role| role.as_str()).collect();
            bail!("there is no role {}; there are {}, and those that the team made", self.role, names.join(", "));
        }
        let name = self.name.map_or_else(|| Name::parse(self.email.as_str()), Ok)?;
        let created = users::create(&store, tenant, &self.email, &name, &self.role, self.operator, &by()).await;
        let Created { user, link, is_new } = created.map_err(refused)?;
        let url = address(&self.public_url, &store, &link).await?;
        let advice = match is_new {
            true => format!("Hand the link over: with it, once and within {} hours, a password is chosen.", hours()),
            false => format!(
                "This address has an account already, and nothing has changed yet. Hand the link over: whoever can sign in to \
                 that account joins with it, once and within {} days.",
                INVITATION_LASTS.as_secs() / 86_400
            ),
        };
        let fields = [
            ("id", user.id.clone()),
            ("email", user.email.clone()),
            ("role", self.role),
            ("link", url.clone()),
            ("", advice),
        ];
        self.of.output().one(&UserOutput::new(&user, Some(&url)), &fields)
    }
}

fn hours() -> u64 {
    RESET_LASTS.as_secs() / 3_600
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.common.open().await?;
        let users = rows::list(&mut store.read().await?, "", self.limit).await?;
        let columns = [Text("email"), Text("name"), Fact("second factor"), Fact("disabled")];
        let more = [Id("id"), Fact("operator"), Fact("created")];
        self.common.output.list(
            &users,
            &columns,
            &more,
            |user| UserOutput::new(user, None),
            |user| {
                vec![
                    user.email.clone(),
                    user.name.clone(),
                    yes_or_no(user.totp.is_some()),
                    moment(user.disabled_at),
                    user.id.clone(),
                    yes_or_no(user.is_operator),
                    moment(Some(user.created_at)),
                ]
            },
        )
    }
}

enum Change {
    Disable,
    Enable,
}

impl Which {
    async fn find(&self) -> anyhow::Result<(Store, Row)> {
        let store = self.common.open().await?;
        let found = rows::by_email(&mut store.read().await?, &self.email).await?;
        let unknown = || format!("there is no user {}; `taquilla user list` shows them", self.email.as_str());
        Ok((store, found.with_context(unknown)?))
    }

    async fn run(self, change: Change) -> anyhow::Result<()> {
        let (store, user) = self.find().await?;
        let changed = match change {
            Change::Disable => users::disable(&store, &user.id, &by()).await,
            Change::Enable => users::enable(&store, &user.id, &by()).await,
        };
        let user = changed.map_err(refused)?;
        let fields = [("id", user.id.clone()), ("email", user.email.clone()), ("disabled", moment(user.disabled_at))];
        self.common.output.one(&UserOutput::new(&user, None), &fields)
    }
}

impl Reset {
    async fn run(self) -> anyhow::Result<()> {
        let (store, user) = self.which.find().await?;
        self.public_url.resolve(&store).await?;
        let made = password_links::make(&store, &user.id, self.second_factor, &by()).await;
        let (user, token) = made.map_err(refused)?;
        let url = address(&self.public_url, &store, &token).await?;
        let fields = [
            ("email", user.email.clone()),
            ("link", url.clone()),
            ("", format!("Hand the link over: with it, once and within {} hours, a password is chosen.", hours())),
        ];
        self.which.common.output.one(&UserOutput::new(&user, Some(&url)), &fields)
    }
}
